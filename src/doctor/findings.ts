/**
 * Every finding of the self-check by its kind, with its words in both languages: the text report,
 * `--json` and the page's card all say it from here. When a check comes to which finding is the
 * checks' business. Free of Node, so that a page can use it.
 *
 * `{name}` stands for a value that the check gives, `{n:row:rows}` for a number with its noun, and
 * `{doctor}` and `{probe}` for how the reader starts the self-check and a test run.
 */

import type { FailureCategory } from '../cursor/categories.ts'
import { MODES_EVERYWHERE, READ_ONLY_MODES } from '../cursor/permission-modes.ts'
import type { Language, Words } from '../words.ts'

interface FindingWords {
  /** What was found: one sentence. */
  readonly says: Words
  /** What to do about it. */
  readonly next?: Words
}

const CORRECT: Words = {
  en: 'Correct that file; DSH does not start with it.',
  zh: '请修正该文件，否则 DSH 无法启动。',
}

/** What each check is called. */
export const TITLES = {
  platform: { en: 'Platform', zh: '平台' },
  host: { en: 'DSH', zh: 'DSH' },
  profile: { en: 'Profile', zh: '配置文件' },
  install: { en: 'Install', zh: '安装' },
  config: { en: 'Command', zh: '命令行' },
  'permission-mode': { en: 'Mode', zh: '权限模式' },
  proxy: { en: 'Proxy', zh: '代理' },
  version: { en: 'Version', zh: '版本' },
  login: { en: 'Login', zh: '登录' },
  models: { en: 'Models', zh: '模型' },
  probe: { en: 'Test run', zh: '试运行' },
} as const satisfies Record<string, Words>

export const FINDINGS = {
  'not-checked': {
    says: {
      en: '{check} failed',
      zh: '“{check}”失败',
    },
  },
  'same-cause': {
    says: {
      en: 'Fails for the reason told above ({check})',
      zh: '失败原因同上（见“{check}”）',
    },
  },
  'command-timeout': {
    says: {
      en: '`cursor-agent {command}` did not end within {seconds} s.',
      zh: '`cursor-agent {command}` 在 {seconds} 秒内没有结束。',
    },
    next: {
      en: 'If the network is slow, give it more time: `{doctor} --limit {longer}`.',
      zh: '如果网络较慢，可以放宽时限：`{doctor} --limit {longer}`。',
    },
  },
  'command-failed': {
    says: {
      en: '`cursor-agent {command}` ended with {exit}.',
      zh: '`cursor-agent {command}` 以 {exit} 结束。',
    },
    next: {
      en: "Go by the CLI's own words here. A damaged install is mended by an update: `cursor-agent update`.",
      zh: '请按此处 CLI 的提示处理。如果是安装损坏，更新即可修复：`cursor-agent update`。',
    },
  },

  'platform-ok': {
    says: { en: '{platform} {arch}, Node {node}', zh: '{platform} {arch}，Node {node}' },
  },
  'node-too-old': {
    says: {
      en: 'Node {node} is too old: 22.19 or newer is needed.',
      zh: 'Node {node} 版本过低，需要 22.19 或更高版本。',
    },
    next: {
      en: 'Update Node, or run this command through `dsh plugin`, with the Node of DSH.',
      zh: '请升级 Node，或通过 `dsh plugin` 运行本命令，以使用 DSH 的 Node。',
    },
  },
  'node-not-for-dsh': {
    says: {
      en: 'Node {node}, while DSH asks for 22.19 or newer, or 24 and newer.',
      zh: '当前 Node 为 {node}，DSH 要求 22.19 及以上的 22.x，或 24 及以上版本。',
    },
    next: {
      en: 'If DSH runs on this Node too, update it.',
      zh: '如果 DSH 也用这个 Node 运行，请升级。',
    },
  },
  'no-home': {
    says: {
      en: 'This process has no home directory, so the usual places of the CLI and its login are unknown.',
      zh: '当前进程没有主目录，无法得知 CLI 的常规安装位置和登录信息所在。',
    },
    next: {
      en: 'Set HOME to an absolute path for DSH, or set `cliPath` and give a CURSOR_API_KEY in `env`.',
      zh: '请为 DSH 把 HOME 设为绝对路径；或者设置 `cliPath`，并在 `env` 中提供 CURSOR_API_KEY。',
    },
  },
  'host-ok': { says: { en: 'DSH {version}', zh: 'DSH {version}' } },
  'host-unknown': {
    says: {
      en: 'its version is known only once it has started',
      zh: '首次启动后才能得知版本',
    },
  },
  'host-cannot-boot': {
    says: {
      en: 'DSH {version} does not start with {packages}.',
      zh: 'DSH {version} 与 {packages} 搭配时无法启动。',
    },
    next: {
      en: 'Where DSH is installed, put this into `overrides` of package.json (`pnpm.overrides` with pnpm), and install again: {pins}.',
      zh: '请在 DSH 安装目录的 package.json 中，把下面的内容写进 `overrides`（pnpm 用 `pnpm.overrides`），然后重新安装：{pins}。',
    },
  },

  'profile-loaded': {
    says: {
      en: '{profile} loads version {version} with {rows:row:rows}',
      zh: '{profile} 加载 {version} 版，共 {rows} 个条目',
    },
  },
  'no-profile': {
    says: {
      en: 'There is no profile {profile} in {directory}.',
      zh: '{directory} 中没有名为 {profile} 的 profile。',
    },
    next: { en: 'Create it: `{add}`.', zh: '请创建：`{add}`。' },
  },
  'no-such-profile': {
    says: {
      en: 'There is no profile {profile} in {directory}.',
      zh: '{directory} 中没有名为 {profile} 的 profile。',
    },
    next: {
      en: 'The closest name is {nearest}; there are {others}.',
      zh: '最接近的名称是 {nearest}；现有：{others}。',
    },
  },
  'file-not-json': {
    says: { en: '{file} is not valid JSON.', zh: '{file} 不是有效的 JSON。' },
    next: CORRECT,
  },
  'file-not-yaml': {
    says: {
      en: '{at}: not valid YAML ({code}).',
      zh: '{at}：不是有效的 YAML（{code}）。',
    },
    next: CORRECT,
  },
  'file-not-a-list': {
    says: {
      en: '{file} is not a list of rows and patches.',
      zh: '{file} 的内容不是由条目和补丁组成的列表。',
    },
    next: CORRECT,
  },
  'file-cyclic': {
    says: {
      en: '{file}: its anchors and aliases cannot be followed.',
      zh: '{file}：其中的锚点和别名无法展开。',
    },
    next: CORRECT,
  },
  'empty-list-left': {
    says: {
      en: '{at}: the `[]` that DSH put there still stands beside the rows, so the file is not valid YAML.',
      zh: '{at}：DSH 生成的 `[]` 与新增的条目并存，导致该文件不是有效的 YAML。',
    },
    next: {
      en: 'Delete that line; DSH does not start with it.',
      zh: '请删除这一行，否则 DSH 无法启动。',
    },
  },
  'bundle-gone': {
    says: {
      en: 'The bundle {bundle}, listed in {file}, is not installed.',
      zh: '{file} 中列出的 bundle {bundle} 没有安装。',
    },
    next: {
      en: 'DSH does not start without it: take it out of dsh.profile.bundles, or install it: `{install}`.',
      zh: '缺少它 DSH 无法启动。请从 dsh.profile.bundles 中移除，或者安装：`{install}`。',
    },
  },
  'not-in-profile': {
    says: {
      en: 'The profile {profile} does not have dsh-subagent-cursor.',
      zh: 'profile {profile} 中没有 dsh-subagent-cursor。',
    },
    next: { en: 'Add it: `{add}`.', zh: '请添加：`{add}`。' },
  },
  'row-without-package': {
    says: {
      en: '{row} ({at}) loads dsh-subagent-cursor, which is not installed in the profile {profile}.',
      zh: '{row}（{at}）要加载 dsh-subagent-cursor，但 profile {profile} 中没有安装它。',
    },
    next: {
      en: 'DSH does not start with it: delete that row, or add the package: `{add}`.',
      zh: '这样 DSH 无法启动。请删除该条目，或者安装插件：`{add}`。',
    },
  },
  'not-installed': {
    says: {
      en: 'dsh-subagent-cursor is a dependency of the profile {profile}, but it is not installed.',
      zh: 'dsh-subagent-cursor 是 profile {profile} 的依赖，但没有安装。',
    },
    next: { en: 'Install it: `{install}`.', zh: '请安装：`{install}`。' },
  },
  'not-built': {
    says: {
      en: '{directory} has no lib/index.js: it is a checkout that was not built.',
      zh: '{directory} 中没有 lib/index.js：这是尚未构建的源码目录。',
    },
    next: {
      en: 'Build it, in that directory: `npm run build`.',
      zh: '请在该目录中构建：`npm run build`。',
    },
  },
  'no-row': {
    says: {
      en: 'No row of the profile {profile} loads dsh-subagent-cursor.',
      zh: 'profile {profile} 中没有加载 dsh-subagent-cursor 的条目。',
    },
    next: {
      en: 'Add "dsh-subagent-cursor" to dsh.profile.bundles in {file}, or let DSH do it: `{install}`.',
      zh: '请把 "dsh-subagent-cursor" 加到 {file} 的 dsh.profile.bundles 中，或者让 DSH 来加：`{install}`。',
    },
  },
  'all-disabled': {
    says: {
      en: 'Every row of dsh-subagent-cursor in the profile {profile} is disabled.',
      zh: 'profile {profile} 中 dsh-subagent-cursor 的条目全部被禁用。',
    },
    next: {
      en: 'Remove `disabled` from the row ({at}).',
      zh: '请从条目中删除 `disabled`（{at}）。',
    },
  },
  'bad-field': {
    says: { en: '{row}, {at}: {problem}.', zh: '{row}，{at}：{problem}。' },
    next: { en: 'Correct it there.', zh: '请在该处修正。' },
  },
  'settings-refused': {
    says: {
      en: "{row}, {at}: the user's settings cannot be used: {problem}.",
      zh: '{row}，{at}：用户设置不可用：{problem}。',
    },
    next: {
      en: 'Correct that section or delete it; delegations are refused until then.',
      zh: '请修正或删除该段设置，在此之前所有委派都会被拒绝。',
    },
  },
  'names-clash': {
    says: {
      en: 'Two rows have the {field} {name}.',
      zh: '有两个条目的 {field} 都是 {name}。',
    },
    next: {
      en: 'Give each row its own `{field}`; DSH does not start otherwise.',
      zh: '请为每个条目设置不同的 `{field}`，否则 DSH 无法启动。',
    },
  },
  'patched-twice': {
    says: {
      en: '{row} is patched twice: the config at {second} replaces the whole one at {first}; lost: {lost}.',
      zh: '{row} 被修改了两次：{second} 处的 config 整体取代了 {first} 处的，丢失：{lost}。',
    },
    next: {
      en: 'Write one patch with every field in it.',
      zh: '请合并成一段包含全部字段的补丁。',
    },
  },
  'not-evaluated': {
    says: {
      en: '{row}: {fields} is a `!!js` expression, which only DSH evaluates; the other checks leave it out.',
      zh: '{row}：{fields} 是 `!!js` 表达式，只有 DSH 会求值；其他检查不考虑它。',
    },
  },
  'patch-fits-nothing': {
    says: {
      en: '{at} patches the row {id}, which does not exist, so DSH passes it over.',
      zh: '{at} 要修改的条目 {id} 不存在，DSH 会忽略它。',
    },
    next: {
      en: 'Delete the patch, or correct its id.',
      zh: '请删除这段补丁，或改正其中的 id。',
    },
  },

  'install-found': { says: { en: '{directory}', zh: '{directory}' } },
  'half-written': {
    says: {
      en: '{directory}; the newest version beside it is not complete.',
      zh: '{directory}；同一目录下最新的版本不完整。',
    },
    next: {
      en: 'An update may be under way. If this stays, install the CLI again: `{command}`.',
      zh: '可能正在更新。如果一直如此，请重新安装 CLI：`{command}`。',
    },
  },
  'cli-not-found': {
    says: { en: 'The Cursor CLI was not found.', zh: '找不到 Cursor CLI。' },
    next: {
      en: 'Install it: `{command}`. Then log in: `cursor-agent login`. If it is installed elsewhere, set `cliPath` to it.',
      zh: '请安装：`{command}`。然后登录：`cursor-agent login`。如果已装在别处，请把 `cliPath` 指向它。',
    },
  },
  'cli-path-wrong': {
    says: { en: '`cliPath`: {reason}.', zh: '`cliPath`：{reason}。' },
    next: {
      en: 'Correct `cliPath`, or leave it out; without it the usual places are looked at.',
      zh: '请改正 `cliPath`，或去掉它，以便在常规位置查找。',
    },
  },
  'cli-path-needless': {
    says: { en: '`cliPath`: {reason}.', zh: '`cliPath`：{reason}。' },
    next: {
      en: 'Leave `cliPath` out: a complete install is in {directory}, its usual place.',
      zh: '请去掉 `cliPath`：{directory} 中有完整的安装，正是常规位置。',
    },
  },
  'broken-install': {
    says: {
      en: 'The Cursor CLI is installed but cannot run: {reason}.',
      zh: 'Cursor CLI 已安装，但无法运行：{reason}。',
    },
    next: {
      en: 'Install it again: `{command}`. Or set `cliPath` to a complete install.',
      zh: '请重新安装：`{command}`。或者把 `cliPath` 指向一份完整的安装。',
    },
  },

  'config-ok': {
    says: { en: 'No option and no limit stops a run', zh: '没有妨碍运行的选项或时限' },
  },
  'args-break': {
    says: {
      en: 'extraArgs: {option} takes away what every run depends on, so no run can work.',
      zh: 'extraArgs：{option} 会破坏每次运行的前提，任何运行都无法成功。',
    },
    next: { en: 'Remove it from `extraArgs`.', zh: '请从 `extraArgs` 中删除它。' },
  },
  'args-touch-stream': {
    says: {
      en: 'extraArgs: {option} touches the stream or the one fresh chat that every run depends on.',
      zh: 'extraArgs：{option} 会影响每次运行所依赖的输出流或全新会话。',
    },
    next: { en: 'Remove it from `extraArgs`.', zh: '请从 `extraArgs` 中删除它。' },
  },
  'args-stray': {
    says: {
      en: 'extraArgs: entry {position} follows no option, so the CLI takes it for part of the prompt.',
      zh: 'extraArgs：第 {position} 项前面没有选项，CLI 会把它当作提示词的一部分。',
    },
    next: { en: 'Remove it from `extraArgs`.', zh: '请从 `extraArgs` 中删除它。' },
  },
  'args-widen': {
    says: {
      en: 'extraArgs: with {options} a run can do more than permissionMode {mode} says.',
      zh: 'extraArgs：有了 {options}，运行时的权限会超出 permissionMode {mode} 的范围。',
    },
    next: {
      en: 'Remove it from `extraArgs`, or set the `permissionMode` that says so.',
      zh: '请从 `extraArgs` 中删除，或者改用与之相符的 `permissionMode`。',
    },
  },
  'limit-too-short': {
    says: {
      en: '{field} is {ms} ms, and the CLI alone takes {least} to {most} s to start, so no run can work.',
      zh: '{field} 为 {ms} 毫秒，而 CLI 启动就要 {least} 到 {most} 秒，任何运行都无法成功。',
    },
    next: {
      en: 'Set `{field}` to at least {short}, or leave it out.',
      zh: '请把 `{field}` 设为 {short} 以上，或去掉它。',
    },
  },
  'limit-short': {
    says: {
      en: '{field} is {ms} ms; the CLI takes {least} to {most} s to start, and healthy runs have been silent for minutes.',
      zh: '{field} 为 {ms} 毫秒；CLI 启动要 {least} 到 {most} 秒，正常运行也可能几分钟没有输出。',
    },
    next: {
      en: 'Set `{field}` to at least {short}, or leave it out.',
      zh: '请把 `{field}` 设为 {short} 以上，或去掉它。',
    },
  },

  'mode-ok': { says: { en: '{mode}: {allows}', zh: '{mode}：{allows}' } },
  'mode-not-here': {
    says: { en: '{mode} does not work on {platform}.', zh: '{mode} 在 {platform} 上不可用。' },
    next: {
      en: 'Set `permissionMode` to one of {others}.',
      zh: '请把 `permissionMode` 设为 {others} 之一。',
    },
  },
  'mode-refused': {
    says: {
      en: 'DSH_PERMISSION_MODE is read-only here: sessions with that policy refuse {mode}.',
      zh: '当前 DSH_PERMISSION_MODE 为 read-only：采用该策略的会话会拒绝 {mode}。',
    },
    next: {
      en: `In such sessions only delegations with \`read_only: true\` run. Set \`permissionMode\` to ${READ_ONLY_MODES.en}, or \`readOnlySessions: allow\`.`,
      zh: `这类会话里只有带 \`read_only: true\` 的委派可以运行。请把 \`permissionMode\` 设为 ${READ_ONLY_MODES.zh}，或设置 \`readOnlySessions: allow\`。`,
    },
  },
  'sandbox-works': {
    says: {
      en: "{mode}: {allows}. The install's own check of the sandbox passes",
      zh: '{mode}：{allows}。安装自带的沙箱检测已通过',
    },
  },
  'sandbox-unavailable': {
    says: {
      en: "{mode} needs Cursor's sandbox, which does not work on this system.",
      zh: '{mode} 需要 Cursor 的沙箱，但它在当前系统上不可用。',
    },
    next: {
      en: `Set \`permissionMode\` to ${MODES_EVERYWHERE.en}, or make the sandbox work (AppArmor, user namespaces).`,
      zh: `请把 \`permissionMode\` 设为 ${MODES_EVERYWHERE.zh}，或让沙箱可用（检查 AppArmor 和用户命名空间）。`,
    },
  },
  'sandbox-unknown': {
    says: {
      en: "{mode} needs Cursor's sandbox, and only a run can prove that it works here.",
      zh: '{mode} 需要 Cursor 的沙箱，只有实际运行才能证明它在这里可用。',
    },
    next: { en: 'Make a test run: {probe}.', zh: '请试运行：{probe}。' },
  },
  'cli-unrestricted': {
    says: {
      en: '{file} says approvalMode "unrestricted": the CLI approves everything by itself, so {mode} does not hold what it says.',
      zh: '{file} 中 approvalMode 为 "unrestricted"：CLI 会自动批准一切操作，{mode} 的限制不起作用。',
    },
    next: {
      en: 'Take "unrestricted" out of that file, or choose another approval mode in `cursor-agent` itself.',
      zh: '请去掉该文件中的 "unrestricted"，或在 `cursor-agent` 中改选其他审批模式。',
    },
  },
  'cli-allows-shell': {
    says: {
      en: '{file} allows every shell command ({entries}), outside the sandbox too, so {mode} does not hold what it says.',
      zh: '{file} 允许执行任意 shell 命令（{entries}），而且不受沙箱约束，{mode} 的限制不起作用。',
    },
    next: {
      en: 'Take {entries} out of permissions.allow in that file.',
      zh: '请从该文件的 permissions.allow 中删除 {entries}。',
    },
  },
  'cli-config-unreadable': {
    says: {
      en: '{file} is not valid JSON, so what the CLI allows by itself is unknown.',
      zh: '{file} 不是有效的 JSON，无法得知 CLI 自身允许哪些操作。',
    },
    next: {
      en: 'Correct that file; the CLI reads it on every start.',
      zh: '请修正该文件，CLI 每次启动都会读取它。',
    },
  },
  'cli-config-relative': {
    says: {
      en: 'The CLI looks for its configuration at {file} in the workspace, whose files then decide what it may do.',
      zh: 'CLI 会在工作区的 {file} 读取自己的配置，工作区里的文件就能决定它可以做什么。',
    },
    next: {
      en: 'Make CURSOR_CONFIG_DIR or XDG_CONFIG_HOME an absolute path, or remove it.',
      zh: '请把 CURSOR_CONFIG_DIR 或 XDG_CONFIG_HOME 改为绝对路径，或去掉它。',
    },
  },

  'no-proxy': {
    says: {
      en: 'The CLI will see no proxy variable',
      zh: 'CLI 不会收到代理变量',
    },
  },
  'proxy-seen': {
    says: { en: 'The CLI will see {names}', zh: 'CLI 会收到代理变量：{names}' },
  },
  'proxy-perhaps-unused': {
    says: {
      en: 'The CLI will see {names}. Not measured with it: other Node clients also needed NODE_USE_ENV_PROXY=1',
      zh: 'CLI 会收到代理变量：{names}。其他 Node 程序还要设置 NODE_USE_ENV_PROXY=1 才会使用代理，CLI 是否如此未经验证',
    },
  },
  'proxy-not-url': {
    says: {
      en: '{name} is no URL such as http://host:port.',
      zh: '{name} 不是 http://host:port 形式的 URL。',
    },
    next: {
      en: 'Correct it in the environment of DSH, or in `env` of the configuration.',
      zh: '请在 DSH 的环境变量中改正，或在配置的 `env` 中改正。',
    },
  },
  'certificate-missing': {
    says: {
      en: '{name} names a file that is not there.',
      zh: '{name} 指向的文件不存在。',
    },
    next: {
      en: 'Correct it in the environment of DSH, or in `env` of the configuration.',
      zh: '请在 DSH 的环境变量中改正，或在配置的 `env` 中改正。',
    },
  },
  'certificates-unchecked': {
    says: {
      en: '{name}=0 switches off the check of certificates.',
      zh: '{name}=0 会关闭证书校验。',
    },
    next: {
      en: "Remove it; for a company's certificate set NODE_EXTRA_CA_CERTS to its file.",
      zh: '请去掉它；如需信任公司证书，请把 NODE_EXTRA_CA_CERTS 指向证书文件。',
    },
  },

  'version-ok': { says: { en: '{version}', zh: '{version}' } },
  'version-misplaced': {
    says: {
      en: '{version}, in a directory of another name ({directory})',
      zh: '{version}，但所在目录名为 {directory}',
    },
  },
  'old-version': {
    says: {
      en: '{version} is old and may not know every option of a delegation.',
      zh: '{version} 较旧，可能不支持委派用到的选项。',
    },
    next: {
      en: 'Update it: `cursor-agent update`.',
      zh: '请更新：`cursor-agent update`。',
    },
  },
  'version-differs': {
    says: {
      en: 'Delegations use {version}, while `cursor-agent` in a terminal runs {other}.',
      zh: '委派使用 {version}，而终端里的 `cursor-agent` 运行的是 {other}。',
    },
    next: {
      en: 'To use the same one, set `cliPath` to {path}.',
      zh: '如需一致，请把 `cliPath` 设为 {path}。',
    },
  },
  'not-cursor': {
    says: {
      en: "The program answers, but it is not Cursor's CLI.",
      zh: '该程序有响应，但不是 Cursor CLI。',
    },
    next: {
      en: 'Other products use the name `agent` too. Set `cliPath` to the Cursor CLI, or install it: `{command}`.',
      zh: '其他产品也使用 `agent` 这个名称。请把 `cliPath` 指向 Cursor CLI，或者安装它：`{command}`。',
    },
  },

  'logged-in': { says: { en: 'Logged in', zh: '已登录' } },
  'login-proven': {
    says: {
      en: '`cursor-agent status` does not say so, but the test run was accepted',
      zh: '`cursor-agent status` 未显示已登录，但试运行已成功',
    },
  },
  'details-missing': {
    says: {
      en: 'Logged in, but the CLI could not fetch the account. Runs may fail.',
      zh: '已登录，但 CLI 取不到账号信息，运行可能失败。',
    },
    next: {
      en: 'Make a test run: {probe}. If it fails, log in again: `cursor-agent login`.',
      zh: '请试运行：{probe}。如果失败，请重新登录：`cursor-agent login`。',
    },
  },
  'own-key': {
    says: {
      en: 'No login, but the configuration gives a CURSOR_API_KEY.',
      zh: '未登录，但配置中提供了 CURSOR_API_KEY。',
    },
    next: {
      en: 'Make a test run to see whether it is accepted: {probe}.',
      zh: '请试运行，看它是否有效：{probe}。',
    },
  },
  'logged-out': {
    says: { en: 'Not logged in.', zh: '未登录。' },
    next: {
      en: 'Log in, in a terminal: `cursor-agent login`. Or give a CURSOR_API_KEY in `env` of the configuration.',
      zh: '请在终端里登录：`cursor-agent login`。或者在配置的 `env` 中提供 CURSOR_API_KEY。',
    },
  },
  'not-understood': {
    says: {
      en: 'The answer of `cursor-agent {command}` is not understood.',
      zh: '无法识别 `cursor-agent {command}` 的输出。',
    },
    next: {
      en: 'Make a test run to see whether delegations work: {probe}.',
      zh: '请试运行，看委派是否可用：{probe}。',
    },
  },

  'models-offered': {
    says: {
      en: '{count:model:models}; none is configured, so the CLI uses its current or default one',
      zh: '{count} 个可用；未指定，CLI 使用其当前或默认的模型',
    },
  },
  'model-offered': {
    says: {
      en: '{count:model:models}; the configured {model} is among them',
      zh: '{count} 个可用，包括所配置的 {model}',
    },
  },
  'model-not-offered': {
    says: {
      en: 'The configured model {model} is not among the {count:model:models} of the account.',
      zh: '账号的 {count} 个模型中没有所配置的 {model}。',
    },
    next: {
      en: 'Set `model` to one of them, or leave it out. Closest: {closest}.',
      zh: '请把 `model` 设为其中之一，或去掉它。最接近的：{closest}。',
    },
  },
  'no-models': {
    says: {
      en: 'The CLI offers no models: it is probably not logged in.',
      zh: 'CLI 没有列出任何模型，很可能未登录。',
    },
    next: {
      en: 'Log in, in a terminal: `cursor-agent login`. Or give a CURSOR_API_KEY in `env` of the configuration.',
      zh: '请在终端里登录：`cursor-agent login`。或者在配置的 `env` 中提供 CURSOR_API_KEY。',
    },
  },
  'free-plan': {
    says: {
      en: '{model} is offered, but the account has a free plan, which can only use auto.',
      zh: '列表中有 {model}，但该账号是免费套餐，只能使用 auto。',
    },
    next: {
      en: 'Set `model` to auto, or upgrade the plan.',
      zh: '请把 `model` 设为 auto，或升级套餐。',
    },
  },

  'run-works': {
    says: {
      en: 'A run works: first event after {first} s, result after {total} s',
      zh: '运行成功：{first} 秒后收到首个事件，{total} 秒后得到结果',
    },
  },
  'run-not-exact': {
    says: {
      en: 'A run works (result after {total} s), but its answer was not exactly PONG.',
      zh: '运行成功（{total} 秒后得到结果），但回答不是所要求的 PONG。',
    },
    next: {
      en: 'If this repeats, try another `model`.',
      zh: '如果多次如此，请换一个 `model`。',
    },
  },
  'run-too-slow': {
    says: {
      en: 'The run gave no result within {seconds} s.',
      zh: '运行在 {seconds} 秒内没有得到结果。',
    },
    next: {
      en: 'If the network is slow, give it more time: `{doctor} --probe --limit {longer}`. By hand, this is the run: `{line}`.',
      zh: '如果网络较慢，可以放宽时限：`{doctor} --probe --limit {longer}`。手动执行同样的运行：`{line}`。',
    },
  },
  'run-cancelled': {
    says: { en: 'The run was cancelled.', zh: '运行已取消。' },
    next: { en: 'Try again.', zh: '请重试。' },
  },
} as const satisfies Record<string, FindingWords>

/** For a failed test run whose category can only advise another one. */
export const AFTER_FAILED_RUN: Words = {
  en: "Go by the CLI's words and the other checks here. For a report, this writes down what it printed, without content: `{doctor} --probe --record case.json`.",
  zh: '请参考 CLI 的提示和这里的其他检查。如需反馈问题，可以记下它的输出（不含内容）：`{doctor} --probe --record case.json`。',
}

export type OwnKind = keyof typeof FINDINGS

/** What a finding is: one of the self-check's own, or a failure as a delegation has it. */
export type FindingKind = OwnKind | FailureCategory

/** Lines below a finding, for whoever wants to know more. */
export const NOTES = {
  command: { en: '`cursor-agent {args}`', zh: '`cursor-agent {args}`' },
  reason: { en: 'chosen because {reason}; {runner}', zh: '选用原因：{reason}；{runner}' },
  'looked-at': { en: 'looked at, in this order:', zh: '依次查找了：' },
  place: { en: '  {path}: {state}', zh: '  {path}：{state}' },
  'half-written': { en: 'not complete: {path} ({reason})', zh: '不完整：{path}（{reason}）' },
  'only-cli-path': {
    en: '`cliPath` is configured, so no other place is looked at',
    zh: '已设置 `cliPath`，不再查找其他位置',
  },
  'other-modes': { en: 'also possible here: {modes}', zh: '这里还可以用：{modes}' },
  'no-modes': { en: 'does not work on {platform}: {modes}', zh: '在 {platform} 上不可用：{modes}' },
  disabled: { en: '{row} is disabled', zh: '{row} 已禁用' },
  layered: {
    en: "{row}: the user's settings ({file}) lie over it",
    zh: '{row}：叠加了用户设置（{file}）',
  },
  'ambient-key': {
    en: 'CURSOR_API_KEY is set here, but DSH gives it to no child: only one in `env` of the configuration reaches the CLI',
    zh: '当前环境设置了 CURSOR_API_KEY，但 DSH 不会把它传给子进程：只有配置的 `env` 中的才会到达 CLI',
  },
  certificates: { en: 'certificates: {names}', zh: '证书变量：{names}' },
  'marked-models': {
    en: 'default: {default}; current: {current}',
    zh: '默认：{default}；当前：{current}',
  },
  tokens: {
    en: '{input} input tokens, {output} output tokens',
    zh: '输入 {input} token，输出 {output} token',
  },
} as const satisfies Record<string, Words>

export type NoteKind = keyof typeof NOTES

/** Filled in where it is shown, since it differs between a terminal and a page. */
type Reserved = 'doctor' | 'probe'

type Named<Name extends string> = Name extends `${infer Start}:${string}` ? Start : Name

type NamesIn<Text extends string> = Text extends `${string}{${infer Name}}${infer Rest}`
  ? Exclude<Named<Name>, Reserved> | NamesIn<Rest>
  : never

/** A list is joined as the language does it. */
export type Value = string | number | Words | readonly (string | Words)[]

type EnglishOf<Kind extends OwnKind> =
  | (typeof FINDINGS)[Kind]['says']['en']
  | ((typeof FINDINGS)[Kind] extends { next: { en: infer Next extends string } } ? Next : never)

/** The values that the words of a kind need. */
export type ValuesOf<Kind extends OwnKind> = Readonly<Record<NamesIn<EnglishOf<Kind>>, Value>>
export type NoteValues<Kind extends NoteKind> = Readonly<
  Record<NamesIn<(typeof NOTES)[Kind]['en']>, Value>
>

/** @returns `words` with the values in their places; names that are not given stay. */
export function filled(words: Words, values: Readonly<Record<string, Value | null>>): Words {
  const inLanguage = (language: Language): string => {
    const textOf = (value: Value): string =>
      typeof value !== 'object'
        ? String(value)
        : 'map' in value
          ? value.map(textOf).join({ en: ', ', zh: '、' }[language])
          : value[language]
    return words[language].replaceAll(
      /\{(\w+)(?::([^:}]*):([^}]*))?\}/g,
      (placeholder: string, name: string, one?: string, many?: string) => {
        const text = textOf(values[name] ?? placeholder)
        return one === undefined ? text : `${text} ${text === '1' ? one : many}`
      },
    )
  }
  return { en: inLanguage('en'), zh: inLanguage('zh') }
}
