// Three's shaders are put together from named pieces; ours come after one of them.

export function after(source: string, piece: string, text: string): string {
  return source.replace(`#include <${piece}>`, `#include <${piece}>\n${text}`);
}
