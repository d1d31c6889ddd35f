// What is shown: the switches of the reader.

export interface Option {
  name: OptionName;
  label: string;
  key: string;
  on: boolean;
}

export type OptionName =
  | 'contacts' | 'forces' | 'jointFrames' | 'bodyFrames' | 'centers' | 'labels'
  | 'collision' | 'transparent' | 'wireframe' | 'floor' | 'shadows';

export const OPTIONS: readonly Option[] = [
  { name: 'contacts', label: 'Contact points', key: 'c', on: true },
  { name: 'forces', label: 'Force arrows', key: 'a', on: true },
  { name: 'labels', label: 'Names', key: 'l', on: false },
  { name: 'bodyFrames', label: 'Body frames', key: 'b', on: false },
  { name: 'jointFrames', label: 'Joints', key: 'j', on: false },
  { name: 'centers', label: 'Centres of mass', key: 'm', on: false },
  { name: 'collision', label: 'Collision geometry', key: 'g', on: false },
  { name: 'transparent', label: 'Transparent', key: 't', on: false },
  { name: 'wireframe', label: 'Wireframe', key: 'w', on: false },
  { name: 'floor', label: 'Floor', key: 'o', on: true },
  { name: 'shadows', label: 'Shadows', key: 's', on: true },
];
