// What package.json promises to hosts, read as they read it.
import assert from 'node:assert/strict'
import { globSync } from 'node:fs'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))

async function json(specifier: string): Promise<Record<string, Record<string, unknown>>> {
  return (await import(specifier, { with: { type: 'json' } })).default
}

const locales = globSync('locale/*.json', { cwd: ROOT }).map((file) => file.replaceAll('\\', '/'))

test('there is a title and a description in both languages', () => {
  assert.deepEqual(locales.map((file) => file.slice('locale/'.length)).toSorted(), [
    'en.json',
    'zh.json',
  ])
})

for (const file of locales) {
  test(`a host can read ${file} through the package's exports`, async () => {
    const { meta } = await json(`dsh-subagent-cursor/${file}`)
    assert.ok(meta?.['title'])
    assert.ok(meta['description'])
  })
}
