// Builds the browser half into the one form that the host's page loads: a classic script that
// registers a factory, which gets the page's own React through `require`.

import { build } from 'esbuild'

/** Must be the package's name: the page looks the factory up by it. */
const ID = 'dsh-subagent-cursor'

/** Bundles `entry` into `outfile`; rejects on anything that the page could not provide. */
export async function buildClient(entry: string, outfile: string): Promise<void> {
  await build({
    entryPoints: [entry],
    outfile,
    bundle: true,
    format: 'cjs',
    platform: 'browser',
    target: 'es2022',
    jsx: 'automatic',
    // The page's module table has these; anything else would have to be in the bundle.
    external: ['react', 'react/jsx-runtime'],
    banner: {
      js: `window.__ModuleLoader__.load({ id: ${JSON.stringify(ID)}, factory: (require) => {\nconst module = { exports: {} };`,
    },
    footer: { js: 'return module.exports;\n} });' },
    logLevel: 'warning',
  })
}

if (import.meta.main) await buildClient('src/web/client/index.ts', 'lib/client.cjs')
