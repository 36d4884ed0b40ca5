// The styles of the row and the card. They use the page's colour tokens, so they follow its theme.
// Class names begin with `dsh-cursor-`, because all plugins on a page share one namespace.

export const STYLES = `
.dsh-cursor-card, .dsh-cursor-run { color: var(--dsw-alias-label-primary); font-size: 13px; line-height: 1.5; }
.dsh-cursor-card { --dsh-cursor-bg: var(--dsw-alias-bg-layer-3); list-style: none; border: 1px solid var(--dsw-alias-border-l2); border-radius: 12px; background: var(--dsh-cursor-bg); overflow: clip; transition: border-color .16s; }
.dsh-cursor-page { border: 0; background: none; overflow: visible; }
.dsh-cursor-page .dsh-cursor-body { margin: 0; }
.dsh-cursor-card[data-namespace]:hover { border-color: var(--dsw-alias-label-dimmed); }
.dsh-cursor-card[data-open] { --dsh-cursor-bg: var(--dsw-alias-bg-layer-2); border-color: var(--dsw-alias-label-dimmed); }
:is(.dsh-cursor-card, .dsh-cursor-run) :is(button, input) { font: inherit; color: inherit; }
:is(.dsh-cursor-card, .dsh-cursor-run) :focus-visible { outline: 2px solid var(--dsw-alias-brand-primary); outline-offset: 1px; }
.dsh-cursor-head { display: flex; align-items: center; gap: 12px; width: 100%; padding: 14px 16px; border: 0; border-radius: 12px; background: none; text-align: left; cursor: pointer; }
.dsh-cursor-card .dsh-cursor-head:focus-visible { outline-offset: -2px; }
.dsh-cursor-about { flex: 1; min-width: 0; display: flex; flex-direction: column; gap: 4px; }
.dsh-cursor-name { font-size: 15px; font-weight: 600; line-height: 1.4; }
.dsh-cursor-muted { color: var(--dsw-alias-label-secondary); font-size: 12px; margin: 0; overflow-wrap: anywhere; }
.dsh-cursor-about .dsh-cursor-muted { color: var(--dsw-alias-label-tertiary); font-size: 13px; }
.dsh-cursor-badge { flex: none; border-radius: 999px; padding: 1px 8px; font-size: 11px; font-weight: 500; white-space: nowrap; background: var(--dsw-alias-bg-module-platform); color: var(--dsw-alias-label-secondary); }
.dsh-cursor-chevron { flex: none; width: 6px; height: 6px; margin: 0 4px; border: solid var(--dsw-alias-label-tertiary); border-width: 0 1.2px 1.2px 0; transform: translateY(-2px) rotate(45deg); transition: transform .16s; }
.dsh-cursor-chevron[data-open] { transform: translateY(2px) rotate(225deg); }
.dsh-cursor-body { margin: 0 16px; }
.dsh-cursor-part { border: 0; border-top: 1px solid var(--dsw-alias-border-l2); margin: 0; padding: 12px 0; display: flex; flex-direction: column; gap: 8px; min-width: 0; }
.dsh-cursor-title { display: flex; align-items: center; gap: 8px; font-weight: 500; }
.dsh-cursor-title > :first-child { flex: 1; }
.dsh-cursor-title > .dsh-cursor-muted { font-weight: 400; }
:is(.dsh-cursor-card, .dsh-cursor-run) .dsh-cursor-link { border: 0; background: none; padding: 0; font-size: 12px; color: var(--dsw-alias-label-secondary); text-decoration: underline; text-underline-offset: 2px; cursor: pointer; }
.dsh-cursor-rows { display: flex; flex-direction: column; gap: 4px; }
.dsh-cursor-row { display: grid; grid-template-columns: 8px 64px 1fr; gap: 8px; align-items: baseline; }
.dsh-cursor-dot { width: 8px; height: 8px; border-radius: 50%; background: var(--dsw-alias-label-dimmed); }
.dsh-cursor-dot[data-state=passed] { background: var(--dsw-alias-state-success-primary); }
.dsh-cursor-dot[data-state=warning] { border-radius: 2px; background: var(--dsw-alias-state-warn-primary); }
.dsh-cursor-dot[data-state=failed] { border-radius: 0; background: var(--dsw-alias-state-error-primary); }
.dsh-cursor-detail { min-width: 0; overflow-wrap: anywhere; }
.dsh-cursor-place { display: block; }
.dsh-cursor-card .dsh-cursor-button { flex: none; border: 1px solid var(--dsw-alias-border-l2); border-radius: 8px; padding: 5px 14px; background: none; cursor: pointer; color: var(--dsw-alias-label-secondary); }
.dsh-cursor-card .dsh-cursor-button:hover:not([aria-disabled=true], [data-main]) { color: var(--dsw-alias-label-primary); border-color: var(--dsw-alias-label-dimmed); }
.dsh-cursor-card .dsh-cursor-button[data-main] { background: var(--dsw-alias-label-primary); color: var(--dsw-alias-bg-layer-3); border-color: transparent; }
.dsh-cursor-card .dsh-cursor-button[aria-disabled=true] { opacity: .4; cursor: default; }
.dsh-cursor-buttons { display: flex; flex-wrap: wrap; align-items: center; gap: 8px; }
.dsh-cursor-input { height: 34px; box-sizing: border-box; min-width: 0; padding: 0 12px; border: 1px solid var(--dsw-alias-border-l2); border-radius: 8px; background: var(--dsw-alias-bg-layer-3); }
.dsh-cursor-input[aria-invalid=true] { border-color: var(--dsw-alias-state-error-primary); }
.dsh-cursor-list { padding: 4px; max-height: 184px; overflow-y: auto; border: 1px solid var(--dsw-alias-border-l2); border-radius: 8px; background: var(--dsw-alias-bg-layer-3); }
.dsh-cursor-modes { display: flex; flex-direction: column; margin: 0 -8px; }
.dsh-cursor-option { display: flex; align-items: baseline; gap: 8px; padding: 3px 8px; border-radius: 6px; cursor: pointer; }
.dsh-cursor-option:hover, .dsh-cursor-option:has([type=radio]:checked) { background: color-mix(in srgb, var(--dsw-alias-label-primary) 6%, transparent); }
.dsh-cursor-option > input { flex: none; margin: 4px 0 0; align-self: flex-start; accent-color: var(--dsw-alias-label-primary); }
.dsh-cursor-option > code { font-family: var(--ds-font-family-code, monospace); font-size: 12px; flex: none; }
.dsh-cursor-modes .dsh-cursor-option > code { width: 5ch; }
.dsh-cursor-option[data-off] > :is(input, code) { opacity: .5; }
.dsh-cursor-lone { margin: 0 -8px; }
.dsh-cursor-foot { display: flex; align-items: center; gap: 8px; margin: 0 -16px; padding: 12px 16px; border-top: 1px solid var(--dsw-alias-border-l2); background: var(--dsh-cursor-bg); }
.dsh-cursor-note { flex: 1; min-width: 0; margin: 0; font-size: 12px; color: var(--dsw-alias-label-secondary); overflow-wrap: anywhere; }
.dsh-cursor-note[data-failed] { color: var(--dsw-alias-state-error-primary); }
.dsh-cursor-option[data-off] { cursor: default; }
.dsh-cursor-option[data-warn] > code, .dsh-cursor-warning { color: var(--dsw-alias-state-warn-primary); }
.dsh-cursor-warning, .dsh-cursor-problem { margin: 0; font-size: 12px; overflow-wrap: anywhere; }
.dsh-cursor-modes .dsh-cursor-warning { padding: 0 8px 4px 32px; }
.dsh-cursor-problem { color: var(--dsw-alias-state-error-primary); }
.dsh-cursor-why { display: block; font-style: italic; }
.dsh-cursor-limits { display: flex; flex-wrap: wrap; gap: 12px 24px; }
.dsh-cursor-limit { flex: 1 1 180px; display: flex; flex-direction: column; gap: 4px; min-width: 0; color: var(--dsw-alias-label-secondary); font-size: 12px; }
.dsh-cursor-times { display: flex; gap: 8px; }
.dsh-cursor-time { display: flex; align-items: center; gap: 4px; }
.dsh-cursor-time > .dsh-cursor-input { width: 72px; font-size: 13px; color: var(--dsw-alias-label-primary); }
.dsh-cursor-code { font-family: var(--ds-font-family-code, monospace); font-size: 12px; overflow-wrap: anywhere; padding: 0 4px; border-radius: 4px; background: color-mix(in srgb, var(--dsw-alias-label-primary) 7%, transparent); }
.dsh-cursor-command { overflow-wrap: anywhere; }
:is(.dsh-cursor-card, .dsh-cursor-run) .dsh-cursor-copy { border: 1px solid var(--dsw-alias-border-l2); border-radius: 6px; padding: 0 6px; font-size: 11px; line-height: 18px; background: none; color: var(--dsw-alias-label-secondary); cursor: pointer; }
.dsh-cursor-copy:hover { color: var(--dsw-alias-label-primary); }
.dsh-cursor-details > summary { cursor: pointer; font-size: 12px; color: var(--dsw-alias-label-secondary); }
.dsh-cursor-details > ul { margin: 4px 0; padding-left: 20px; }
.dsh-cursor-run { display: flex; flex-direction: column; gap: 4px; }
.dsh-cursor-run-head { display: grid; grid-template-columns: 16px auto minmax(0, 1fr) 14px; column-gap: 8px; align-items: center; padding: 2px 0; border-radius: 6px; font-size: 14px; line-height: 24px; cursor: pointer; }
.dsh-cursor-run-dot { justify-self: center; width: 8px; height: 8px; border-radius: 50%; background: var(--dsw-alias-state-success-primary); }
.dsh-cursor-run-dot[data-state=error] { border-radius: 1px; background: var(--dsw-alias-state-error-primary); }
.dsh-cursor-run-dot[data-state=stopped] { background: none; border: 2px solid var(--dsw-alias-label-tertiary); box-sizing: border-box; }
.dsh-cursor-run-dot[data-state=running] { background: var(--dsw-alias-brand-primary); animation: dsh-cursor-pulse 1.6s ease-in-out infinite; }
@keyframes dsh-cursor-pulse { 50% { opacity: .3; } }
@media (prefers-reduced-motion: reduce) { .dsh-cursor-run-dot { animation: none !important; } }
.dsh-cursor-run-task { min-width: 0; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; color: var(--dsw-alias-label-secondary); }
.dsh-cursor-run-line { grid-column: 2 / -1; display: flex; flex-wrap: wrap; font-size: 12px; line-height: 1.5; color: var(--dsw-alias-label-tertiary); font-variant-numeric: tabular-nums; }
.dsh-cursor-run-line > :not(:last-child)::after { content: "·"; padding: 0 6px; }
[data-state=error] > .dsh-cursor-run-head .dsh-cursor-run-state { color: var(--dsw-alias-state-error-primary); }
.dsh-cursor-run-outcome, .dsh-cursor-run-body { margin: 0 0 0 24px; min-width: 0; overflow-wrap: anywhere; }
.dsh-cursor-run-outcome { color: var(--dsw-alias-label-secondary); }
.dsh-cursor-run-outcome > p { margin: 0; }
[data-state=error] > .dsh-cursor-run-outcome > [data-cause] { color: var(--dsw-alias-label-primary); }
.dsh-cursor-said { color: var(--dsw-alias-label-secondary); }
.dsh-cursor-run-body { display: flex; flex-direction: column; gap: 8px; }
.dsh-cursor-run-bar { display: flex; justify-content: flex-end; }
.dsh-cursor-plain { margin: 0; white-space: pre-wrap; overflow-wrap: anywhere; font: inherit; }
pre.dsh-cursor-plain { font-family: var(--ds-font-family-code, monospace); font-size: 12px; color: var(--dsw-alias-label-secondary); }
.dsh-cursor-answer { border: 1px solid var(--dsw-alias-border-l2); border-radius: 12px; padding: 8px 12px 12px; }
.dsh-cursor-answer-text { overflow-x: auto; font-size: 14px; line-height: 1.6; }
.dsh-cursor-answer-text[data-cut] { max-height: 70vh; overflow-y: hidden; mask-image: linear-gradient(#000 calc(100% - 48px), transparent); }
.dsh-cursor-files { display: flex; flex-wrap: wrap; align-items: baseline; gap: 4px 10px; }
`
