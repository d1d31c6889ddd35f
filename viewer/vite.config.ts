import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { defineConfig, type Plugin } from 'vite';

/** Script text that may stand inside a script element: neither sequence may appear there, and both only occur in strings. */
function safeInside(script: string): string {
  return script.replace(/<\/(script)/gi, '<\\/$1').replace(/<!--/g, '<\\!--').trim();
}

function policy(script: string): string {
  const hash = createHash('sha256').update(script, 'utf8').digest('base64');
  return [
    "default-src 'none'",
    `script-src 'sha256-${hash}'`,
    "style-src 'unsafe-inline'",
    'img-src data: blob:',
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');
}

/** The page is a copy of these libraries, so their licences go with it. */
function licences(...libraries: string[]): string {
  const texts = libraries.map((name) => {
    const text = readFileSync(new URL(`./node_modules/${name}/LICENSE`, import.meta.url), 'utf8');
    return `This page contains ${name}:\n\n${text.trim().replace(/--+/g, '-')}`;
  });
  return `<!--\n${texts.join('\n\n')}\n-->`;
}

/** Puts the one script and the one style sheet into the page, with a policy that lets this very script run and no other. */
function onePage(name: string): Plugin {
  return {
    name: 'one-page',
    enforce: 'post',
    generateBundle(_options, bundle) {
      let script = '';
      let style = '';
      let page = '';
      for (const [file, item] of Object.entries(bundle)) {
        if (item.type === 'chunk') script += item.code;
        else if (file.endsWith('.css')) style += item.source;
        else if (file.endsWith('.html')) page = String(item.source);
        delete bundle[file];
      }
      script = safeInside(script);
      const meta = `<meta http-equiv="Content-Security-Policy" content="${policy(script)}">`;
      const source = page
        .replace(/\s*<script type="module"[^>]*><\/script>/g, '')
        .replace(/\s*<link rel="stylesheet"[^>]*>/g, '')
        .replace('<meta charset="utf-8">', () => `<meta charset="utf-8">\n    ${meta}`)
        .replace('</head>', () => `<style>${style}</style>\n  ${licences('three', 'uplot')}\n  </head>`)
        .replace('</body>', () => `<script>${script}</script>\n  </body>`);
      this.emitFile({ type: 'asset', fileName: name, source });
    },
  };
}

export default defineConfig({
  base: './',
  plugins: [onePage('viewer.html')],
  build: {
    target: 'es2021',
    modulePreload: false,
    cssCodeSplit: false,
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 1000,
    reportCompressedSize: false,
    rollupOptions: { output: { format: 'iife', inlineDynamicImports: true } },
  },
});
