// Loads the built browser half as a page does, without a browser: the module table's `require`, a real
// context with the services that a page of some generation has, and React's renderer to text. What the
// services do is only as much as the bundle uses.

import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { runInNewContext } from 'node:vm'
import { Context } from '@deepseek-ai/cordis'
import * as React from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { buildClient } from '../../scripts/build-client.ts'

const root = createRequire(import.meta.url)

export interface Bundle {
  readonly inject: readonly string[]
  apply(ctx: Context): void
}

/** Builds the bundle as it is published and runs it as a page does. */
export async function loadBundle(modules: Readonly<Record<string, unknown>> = {}): Promise<Bundle> {
  const directory = await mkdtemp(join(tmpdir(), 'page-bundle-'))
  try {
    const file = join(directory, 'client.cjs')
    await buildClient('src/web/client/index.ts', file)
    return runBundle(await readFile(file, 'utf8'), modules)
  } finally {
    await rm(directory, { recursive: true })
  }
}

function runBundle(source: string, modules: Readonly<Record<string, unknown>>): Bundle {
  let bundle: Bundle | undefined
  const require = (name: string): unknown => {
    if (Object.hasOwn(modules, name)) return modules[name]
    // The renderer to text reads no store without a snapshot for servers, which no page needs.
    if (name === 'react')
      return { ...React, useSyncExternalStore: (_: unknown, get: () => unknown) => get() }
    if (name === 'react/jsx-runtime') return root(name)
    throw new Error(`require("${name}") missed the module table`)
  }
  const page = {
    console,
    document: pageDocument(),
    AbortController,
    setTimeout,
    clearTimeout,
    window: {
      __ModuleLoader__: {
        load(registration: { id: string; factory: (from: typeof require) => Bundle }) {
          bundle = registration.factory(require)
        },
      },
    },
  }
  runInNewContext(source, page)
  if (bundle === undefined) throw new Error('the bundle has registered nothing')
  return bundle
}

function pageDocument(): object {
  return {
    hidden: false,
    createElement: () => ({ dataset: {}, remove() {} }),
    head: { append() {} },
  }
}

export interface Registration {
  readonly name: string
  readonly key: string
  readonly component: React.ComponentType<object>
}

/** A page: its context, and what plugins have put into its slots. */
export class FakePage {
  readonly ctx = new Context()
  readonly registrations: Registration[] = []
  readonly #declared: ReadonlySet<string>
  #dictionaries: Record<string, Record<string, string>> = {}

  /** @param slots those that the page declares; @param services what it has besides `slots` and `locale`. */
  constructor(slots: readonly string[], services: Readonly<Record<string, unknown>> = {}) {
    this.#declared = new Set(slots)
    const { registrations } = this
    const provide = (name: string, value: unknown): void => {
      this.ctx.reflect.provide(name, value)
    }
    provide('slots', {
      inject: (name: string, register: () => () => void) => {
        if (this.#declared.has(name)) register()
      },
      register: (
        { name, key }: { name: string; key: string },
        component: Registration['component'],
      ) => {
        if (!this.#declared.has(name)) throw new Error(`slot "${name}" is not declared`)
        const registration = { name, key, component }
        registrations.push(registration)
        return () => registrations.splice(registrations.indexOf(registration), 1)
      },
    })
    provide('locale', {
      register: (_: string, dictionaries: Record<string, Record<string, string>>) => {
        this.#dictionaries = dictionaries
        return () => {}
      },
    })
    for (const [name, value] of Object.entries(services)) provide(name, value)
  }

  /** Starts the bundle as a page's loader does; @returns the state that the page's boot looks at. */
  async start({ inject, apply }: Bundle): Promise<'active' | 'pending' | 'failed'> {
    const fiber = this.ctx.plugin({ name: 'dsh-subagent-cursor', inject: [...inject], apply })
    await new Promise((resolve) => setImmediate(resolve))
    // The order of cordis's own states.
    const state = ['pending', 'loading', 'active', 'failed'][fiber.state]
    return state === 'active' || state === 'failed' ? state : 'pending'
  }

  keys(slot: string): string[] {
    return this.registrations.filter(({ name }) => name === slot).map(({ key }) => key)
  }

  translate(language: 'en' | 'zh') {
    return (key: string, values: Readonly<Record<string, unknown>> = {}): string =>
      (this.#dictionaries[language]?.[key] ?? key).replaceAll(/\{(\w+)\}/g, (_, name: string) =>
        String(values[name]),
      )
  }

  render(slot: string, key: string, props: object, language: 'en' | 'zh' = 'en'): string {
    const found = this.registrations.find((each) => each.name === slot && each.key === key)
    if (found === undefined) throw new Error(`nothing in ${slot} under ${key}`)
    const all: object = { t: this.translate(language), ...props }
    return renderToStaticMarkup(React.createElement(found.component, all))
  }
}
