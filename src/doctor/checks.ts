/**
 * Every check, in the order in which they run and are shown: a check is one file and one row here. What
 * runs them is `diagnose.ts`.
 */

import type { System } from '../cursor/system.ts'
import type { Words } from '../words.ts'
import { configCheck } from './checks/config.ts'
import { hostCheck } from './checks/host.ts'
import { installCheck } from './checks/install.ts'
import { loginCheck } from './checks/login.ts'
import { modelsCheck } from './checks/models.ts'
import { permissionModeCheck } from './checks/permission-mode.ts'
import { platformCheck } from './checks/platform.ts'
import { probeCheck } from './checks/probe.ts'
import { profileCheck, type ProfileSubject } from './checks/profile.ts'
import { proxyCheck } from './checks/proxy.ts'
import { versionCheck } from './checks/version.ts'
import type { Finding, Findings } from './finding.ts'
import type { Subject } from './check-input.ts'

export type Looked<Data = unknown> = Finding<Data> | readonly Finding<Data>[]

interface Row<Of extends string, Input> {
  /** What it looks at: the machine, the profile when one is named, or each row of that by itself. */
  readonly of: Of
  readonly title: Words
  readonly findings: Findings
  /** Checks that leave this one nobody to ask when they fail. */
  readonly after?: readonly string[]
  look(input: Input): Looked | Promise<Looked>
}

export const CHECKS = {
  platform: platformCheck,
  host: hostCheck,
  profile: profileCheck,
  install: installCheck,
  config: configCheck,
  'permission-mode': permissionModeCheck,
  proxy: proxyCheck,
  version: versionCheck,
  login: loginCheck,
  models: modelsCheck,
  probe: probeCheck,
} as const satisfies Record<
  string,
  Row<'machine', System> | Row<'profile', ProfileSubject> | Row<'row', Subject>
>

export type CheckId = keyof typeof CHECKS

export const CHECK_IDS = Object.keys(CHECKS) as CheckId[]

/** What a check found, for machines. */
export type DataOf<Id extends CheckId> =
  Awaited<ReturnType<(typeof CHECKS)[Id]['look']>> extends Looked<infer Data> ? Data : never
