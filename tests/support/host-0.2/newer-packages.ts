// Lets everything that is imported after this module run on the cordis and the loader of newer hosts,
// 4.0.4 and 1.0.5 from npm, instead of those that 0.1.0-rc.8 needs: the plugin, the host's real
// services and the tests alike, so that one copy of each is in use.
import { registerHooks } from 'node:module'

const NEWER: Readonly<Record<string, string>> = {
  '@deepseek-ai/cordis': 'cordis-next',
  '@deepseek-ai/cordis-plugin-loader': 'loader-next',
}

registerHooks({
  resolve: (specifier, context, nextResolve) => {
    const newer = NEWER[specifier]
    return newer === undefined
      ? nextResolve(specifier, context)
      : nextResolve(newer, { ...context, parentURL: import.meta.url })
  },
})
