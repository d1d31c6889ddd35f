// Requests to the server which this page came from. Addresses are relative: they carry the token.

import { DataError } from './protocol';

async function ask(address: string): Promise<Response> {
  let response: Response;
  try {
    response = await fetch(address);
  } catch {
    throw new DataError('The server of this page does not answer. Is the program that showed it still running?');
  }
  if (!response.ok) throw new DataError(`The server refused "${address}" (${response.status}).`);
  return response;
}

export async function fetchBytes(address: string): Promise<ArrayBuffer> {
  return (await ask(address)).arrayBuffer();
}

export async function fetchText(address: string): Promise<string> {
  return (await ask(address)).text();
}
