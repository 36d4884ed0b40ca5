// Copies what the tests need into a directory that Windows' Node can read under Wine: pnpm's
// node_modules is made of Unix symlinks, which look like plain directories there, so that packages
// would not find each other. It leaves out what those packages need only on other platforms.
import { cpSync, existsSync, mkdirSync, readFileSync, realpathSync } from 'node:fs'
import { dirname, join, relative, sep } from 'node:path'

interface Manifest {
  readonly dependencies?: Readonly<Record<string, string>>
  readonly peerDependencies?: Readonly<Record<string, string>>
  readonly optionalDependencies?: Readonly<Record<string, string>>
}

function manifestIn(directory: string): Manifest {
  return JSON.parse(readFileSync(join(directory, 'package.json'), 'utf8')) as Manifest
}

/** The real directory of a package as Node finds it from `from`; undefined when it is not installed. */
function findPackage(name: string, from: string): string | undefined {
  for (let at = from; ; at = dirname(at)) {
    const candidate = join(at, 'node_modules', name)
    if (existsSync(join(candidate, 'package.json'))) return realpathSync(candidate)
    if (dirname(at) === at) return undefined
  }
}

/** Copies one package without the packages inside it. */
function copyPackage(from: string, to: string): void {
  cpSync(from, to, {
    recursive: true,
    filter: (file) => relative(from, file).split(sep)[0] !== 'node_modules',
  })
}

/**
 * Copies packages of `root` and all that they depend on into `stage/node_modules`, each name once at
 * the top; a second version of a name goes below the package that needs it.
 * @returns the real directory of each package at the top.
 * @throws when a package that the root names is not installed.
 */
export function copyPackages(
  root: string,
  stage: string,
  names: readonly string[],
): ReadonlyMap<string, string> {
  const top = new Map<string, string>()

  function place(name: string, from: string, holder: string): void {
    const real = findPackage(name, from)
    if (real === undefined) {
      if (from === root) throw new Error(`${name} is not installed: run pnpm install first`)
      return
    }
    if (top.get(name) === real) return
    let target = join(stage, 'node_modules', name)
    if (top.has(name)) target = join(holder, 'node_modules', name)
    else top.set(name, real)
    if (existsSync(target)) return
    copyPackage(real, target)
    const { dependencies, peerDependencies } = manifestIn(real)
    for (const each of Object.keys({ ...dependencies, ...peerDependencies })) {
      place(each, real, target)
    }
  }

  for (const name of names) place(name, root, stage)
  return top
}

/** The version of a platform's package that `directory` asks for as an optional dependency. */
export function optionalVersion(directory: string, name: string): string {
  const version = manifestIn(directory).optionalDependencies?.[name]
  if (version === undefined) throw new Error(`${directory} does not name ${name}`)
  return version
}

/** Copies sources into the stage. */
export function copySources(root: string, stage: string, names: readonly string[]): void {
  mkdirSync(stage, { recursive: true })
  for (const name of names) cpSync(join(root, name), join(stage, name), { recursive: true })
}
