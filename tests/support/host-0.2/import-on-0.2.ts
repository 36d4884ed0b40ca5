// Loads a module the way a 0.2 host would: whoever imports `@deepseek-ai/dsh-subagent` gets the 0.2
// vocabulary. Leaves every other package as it is installed; for the packages a provider touches
// (cordis, dsh-tools, dsh-session, dsh-timeout, dsh-subprocess) the names it needs are the same.
import { registerHooks } from 'node:module'

const VOCABULARY = new URL('./vocabulary.ts', import.meta.url).href
let redirected = false

/**
 * Imports `url` with the redirection in force. It holds for the rest of the process and only for
 * modules that are loaded afterwards, so the 0.2 tests need a process of their own (node:test gives
 * each file one) and must not import the plugin statically.
 */
export async function importOn02<T>(url: URL): Promise<T> {
  if (!redirected) {
    redirected = true
    registerHooks({
      resolve(specifier, context, next) {
        const importer = context.parentURL ?? ''
        const isHostsOwn = importer === VOCABULARY || importer.includes('/node_modules/')
        if (specifier !== '@deepseek-ai/dsh-subagent' || isHostsOwn) return next(specifier, context)
        return { url: VOCABULARY, format: 'module-typescript', shortCircuit: true }
      },
    })
  }
  return (await import(url.href)) as T
}
