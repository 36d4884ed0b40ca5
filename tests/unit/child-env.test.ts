// What the CLI's process gets on top of the host's environment, on each platform. How the host lays
// it over its own is seen with real processes, in tests/process and tests/windows.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { childEnvironment } from '../../src/cursor/child-env.ts'
import type { CursorCli } from '../../src/cursor/find-cli.ts'
import { thisSystem, type System } from '../../src/cursor/system.ts'

const HOME = { linux: '/home/u', darwin: '/Users/u', win32: 'C:\\Users\\u' }
const RUNNERS: readonly CursorCli['runner'][] = ['launcher', 'bundled-node', 'host-node']
const WITHOUT_LAUNCHER = RUNNERS.filter((runner) => runner !== 'launcher')

function on(
  platform: keyof typeof HOME,
  env: NodeJS.ProcessEnv = {},
  more: Partial<System> = {},
): System {
  return { ...thisSystem(), platform, env, home: HOME[platform], ...more }
}

/** Whether the inherited variable is taken away, which is not the same as left alone. */
const removes = (env: NodeJS.ProcessEnv, name: string): boolean =>
  Object.hasOwn(env, name) && env[name] === undefined

describe('with nothing configured', () => {
  for (const runner of RUNNERS) {
    test(`${runner}: no NODE_OPTIONS and no key of the parent's, and the CLI's usual name`, () => {
      const parent = { NODE_OPTIONS: '--use-env-proxy', CURSOR_API_KEY: 'ambient-key' }
      const env = childEnvironment(on('linux', parent), {}, runner)
      assert.ok(removes(env, 'NODE_OPTIONS'))
      assert.ok(removes(env, 'CURSOR_API_KEY'))
      assert.equal(env['CURSOR_INVOKED_AS'], 'cursor-agent')
    })
  }

  test('nothing else of the parent is repeated or taken away', () => {
    const parent = { PATH: '/bin', HTTPS_PROXY: 'http://proxy', HOME: '/home/u' }
    const env = childEnvironment(on('linux', parent), {}, 'bundled-node')
    assert.deepEqual(Object.keys(env).toSorted(), [
      'CURSOR_API_KEY',
      'CURSOR_INVOKED_AS',
      'NODE_COMPILE_CACHE',
      'NODE_OPTIONS',
    ])
  })
})

describe('the compile cache', () => {
  const PLACES = [
    ['win32', { LOCALAPPDATA: 'D:\\L' }, 'D:\\L\\cursor-compile-cache'],
    ['win32', { LocalAppData: 'D:\\L' }, 'D:\\L\\cursor-compile-cache'],
    ['win32', {}, 'C:\\Users\\u\\AppData\\Local\\cursor-compile-cache'],
    ['darwin', {}, '/Users/u/Library/Caches/cursor-compile-cache'],
    ['darwin', { XDG_CACHE_HOME: '/x' }, '/Users/u/Library/Caches/cursor-compile-cache'],
    ['linux', {}, '/home/u/.cache/cursor-compile-cache'],
    ['linux', { XDG_CACHE_HOME: '' }, '/home/u/.cache/cursor-compile-cache'],
    ['linux', { XDG_CACHE_HOME: '/x' }, '/x/cursor-compile-cache'],
  ] as const
  for (const [platform, parent, place] of PLACES) {
    test(`is where the CLI's launcher has it: ${platform} ${JSON.stringify(parent)}`, () => {
      for (const runner of WITHOUT_LAUNCHER) {
        const env = childEnvironment(on(platform, parent), {}, runner)
        assert.equal(env['NODE_COMPILE_CACHE'], place)
      }
    })
  }

  test('is left to the launcher where that is the program', () => {
    const env = childEnvironment(on('linux'), {}, 'launcher')
    assert.ok(!('NODE_COMPILE_CACHE' in env))
  })

  test("is the parent's when the parent has one", () => {
    const env = childEnvironment(on('linux', { NODE_COMPILE_CACHE: '/own' }), {}, 'bundled-node')
    assert.ok(!('NODE_COMPILE_CACHE' in env))
    const windows = on('win32', { Node_Compile_Cache: 'D:\\own' })
    assert.ok(!('NODE_COMPILE_CACHE' in childEnvironment(windows, {}, 'bundled-node')))
  })
})

describe('a cache directory that is not absolute would be one in the workspace', () => {
  const RELATIVE = [
    { XDG_CACHE_HOME: 'cache' },
    { XDG_CACHE_HOME: './cache' },
    { NODE_COMPILE_CACHE: 'cache' },
    { NODE_COMPILE_CACHE: '.', XDG_CACHE_HOME: '.' },
  ]
  for (const parent of RELATIVE) {
    test(`${JSON.stringify(parent)} is passed over, the launcher's own choice too`, () => {
      for (const runner of RUNNERS) {
        const env = childEnvironment(on('linux', parent), {}, runner)
        assert.equal(env['NODE_COMPILE_CACHE'], '/home/u/.cache/cursor-compile-cache')
      }
    })
  }

  test('one from the configuration is the one that counts for the launcher', () => {
    const relative = childEnvironment(on('linux'), { XDG_CACHE_HOME: 'cache' }, 'launcher')
    assert.equal(relative['NODE_COMPILE_CACHE'], '/home/u/.cache/cursor-compile-cache')
    const mended = on('linux', { XDG_CACHE_HOME: 'cache' })
    assert.ok(
      !('NODE_COMPILE_CACHE' in childEnvironment(mended, { XDG_CACHE_HOME: '/x' }, 'launcher')),
    )
  })

  for (const home of ['', 'home', '.']) {
    test(`without a place for it there is no cache, home: ${JSON.stringify(home)}`, () => {
      for (const platform of ['linux', 'darwin', 'win32'] as const) {
        for (const runner of RUNNERS) {
          const env = childEnvironment(on(platform, {}, { home }), {}, runner)
          assert.equal(env['NODE_DISABLE_COMPILE_CACHE'], '1')
          assert.equal(env['NODE_COMPILE_CACHE'], '/dev/null')
        }
      }
      const own = on('linux', { XDG_CACHE_HOME: '/x' }, { home })
      for (const runner of RUNNERS) {
        const env = childEnvironment(own, {}, runner)
        assert.equal(env['NODE_COMPILE_CACHE'], '/x/cursor-compile-cache')
        assert.ok(!('NODE_DISABLE_COMPILE_CACHE' in env))
      }
    })
  }
})

describe('in an Electron host', () => {
  const parent = { ELECTRON_RUN_AS_NODE: '1', ELECTRON_NO_ATTACH_CONSOLE: '1', electron_x: 'y' }

  test("its own executable runs as Node, and nothing else of Electron's is passed on", () => {
    const env = childEnvironment(on('darwin', parent, { electron: '40.1.0' }), {}, 'host-node')
    assert.equal(env['ELECTRON_RUN_AS_NODE'], '1')
    assert.ok(removes(env, 'ELECTRON_NO_ATTACH_CONSOLE'))
  })

  test('any other program gets nothing of it', () => {
    for (const electron of ['40.1.0', undefined]) {
      for (const runner of RUNNERS) {
        if (runner === 'host-node' && electron !== undefined) continue
        const env = childEnvironment(on('win32', parent, { electron }), {}, runner)
        for (const name of Object.keys(parent)) assert.ok(removes(env, name), name)
      }
    }
  })

  test('what is configured wins', () => {
    const configured = { ELECTRON_RUN_AS_NODE: '', ELECTRON_X: 'y' }
    for (const runner of RUNNERS) {
      const env = childEnvironment(on('linux', parent, { electron: '40.1.0' }), configured, runner)
      assert.deepEqual([env['ELECTRON_RUN_AS_NODE'], env['ELECTRON_X']], ['', 'y'])
    }
  })
})

describe('what is configured', () => {
  test('wins over everything the plugin would set or take away', () => {
    const configured = {
      NODE_OPTIONS: '--max-old-space-size=4096',
      CURSOR_API_KEY: 'key_configured',
      CURSOR_INVOKED_AS: 'agent',
      NODE_COMPILE_CACHE: '/configured',
      HTTPS_PROXY: 'http://proxy',
    }
    for (const runner of RUNNERS) {
      const parent = { NODE_OPTIONS: '--x', NODE_COMPILE_CACHE: '/parent' }
      assert.deepEqual(childEnvironment(on('linux', parent), configured, runner), configured)
    }
  })

  test('is recognised on Windows whatever the case of its name', () => {
    const configured = {
      node_options: '--a',
      Cursor_Api_Key: 'k',
      cursor_invoked_as: 'agent',
      Node_Compile_Cache: 'D:\\c',
    }
    assert.deepEqual(childEnvironment(on('win32'), configured, 'bundled-node'), configured)
  })

  test('is another variable elsewhere when its case differs', () => {
    const env = childEnvironment(on('linux'), { node_options: '--a' }, 'launcher')
    assert.ok(removes(env, 'NODE_OPTIONS'))
    assert.equal(env['node_options'], '--a')
  })

  test('an empty CURSOR_API_KEY is dropped, and the ambient one does not take its place', () => {
    for (const platform of ['linux', 'darwin', 'win32'] as const) {
      const parent = { CURSOR_API_KEY: 'ambient-key' }
      const env = childEnvironment(on(platform, parent), { CURSOR_API_KEY: '' }, 'bundled-node')
      assert.ok(removes(env, 'CURSOR_API_KEY'))
    }
  })

  test('another empty value is passed: it can mean something', () => {
    const env = childEnvironment(on('linux'), { NO_COLOR: '', NODE_OPTIONS: '' }, 'launcher')
    assert.deepEqual([env['NO_COLOR'], env['NODE_OPTIONS']], ['', ''])
  })
})
