import asyncHooks, { AsyncLocalStorage, AsyncResource, type HookCallbacks } from 'node:async_hooks'

/** What node:test makes of a file, a suite, a test, or something that runs before or after them. */
type Scope = AsyncResource & { readonly subtests: unknown; nesting: number; finished: boolean; hookType?: string }

const isScope = (resource: AsyncResource): resource is Scope => 'subtests' in resource

// node:test finds out which test asynchronous work belongs to by a hook that is called as each promise begins and ends,
// which takes a tenth of a run. Here AsyncLocalStorage tells it; what that doesn't reach belongs to the file that is
// read, and a fault that nobody catches to the test that began last. This module is read before node:test, and changes
// nothing for one that asks async_hooks for no hook.
const { createHook, executionAsyncId } = asyncHooks
const { runInAsyncScope } = AsyncResource.prototype
const running = new AsyncLocalStorage<Scope>()
let file: Scope | undefined
let latest: Scope | undefined
let faulty: Scope | undefined

/** Returns the hook of node:test: `init` gets its own scopes alone, each before it first runs. */
function followScopes({ init }: HookCallbacks) {
  Object.assign(asyncHooks, { createHook })
  const enter = (scope: Scope, run: () => unknown): unknown => {
    init?.(scope.asyncId(), 'Test', 0, scope)
    latest = scope
    if (scope.nesting === 0 && scope.hookType === undefined) file = scope
    return running.run(scope, run)
  }
  const runInScope = function (this: AsyncResource, ...args: Parameters<typeof runInAsyncScope>): unknown {
    const run = (): unknown => Reflect.apply(runInAsyncScope, this, args)
    return isScope(this) ? enter(this, run) : run()
  }
  return {
    enable: () => void Object.assign(AsyncResource.prototype, { runInAsyncScope: runInScope }),
    disable: () => void Object.assign(AsyncResource.prototype, { runInAsyncScope }),
  }
}

/** Returns the scope that node:test asks for, at once after a fault or when something is declared. */
function takeScope(): Scope | undefined {
  const scope = running.getStore() ?? faulty ?? (file?.finished === false ? file : undefined)
  faulty = undefined
  return scope
}

for (const event of ['uncaughtExceptionMonitor', 'unhandledRejection']) process.on(event, () => (faulty = latest))
Object.assign(asyncHooks, {
  createHook: followScopes,
  executionAsyncId: () => takeScope()?.asyncId() ?? executionAsyncId(),
})
