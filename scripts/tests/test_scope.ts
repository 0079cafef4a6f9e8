import asyncHooks, { AsyncLocalStorage, AsyncResource, type HookCallbacks } from 'node:async_hooks'

/** Object of node:test for a file, a suite, a test or a hook. */
type Scope = AsyncResource & { readonly subtests: unknown }

type Body = (...args: unknown[]) => unknown

const isScope = (resource: AsyncResource): resource is Scope => 'subtests' in resource

// node:test uses an async hook, called as each promise starts and ends, to find out which test asynchronous work belongs
// to. That takes a tenth of a run. This module uses AsyncLocalStorage instead, and assigns an uncaught error to the test
// that started last. It loads before node:test, and has no effect on a version that uses no async hook.
const { createHook, executionAsyncId } = asyncHooks
const { runInAsyncScope } = AsyncResource.prototype
const running = new AsyncLocalStorage<Scope>()
let latest: Scope | undefined
let faulty: Scope | undefined

/** Returns the hook of node:test: `init` gets only its own scopes, each before it first runs. */
function followScopes({ init }: HookCallbacks) {
  Object.assign(asyncHooks, { createHook })
  const enter = (scope: Scope, run: () => unknown): unknown => {
    init?.(scope.asyncId(), 'Test', 0, scope)
    latest = scope
    return running.run(scope, run)
  }
  const runInScope = function (this: AsyncResource, fn: Body, thisArg?: unknown, ...args: unknown[]): unknown {
    const run = (): unknown => Reflect.apply(fn, thisArg, args)
    return Reflect.apply(runInAsyncScope, this, [isScope(this) ? () => enter(this, run) : run])
  }
  return {
    enable: () => {
      Object.assign(AsyncResource.prototype, { runInAsyncScope: runInScope })
      // These come before the listeners of node:test, which ask for the scope.
      for (const event of ['uncaughtExceptionMonitor', 'unhandledRejection']) process.on(event, () => (faulty = latest))
    },
    disable: () => void Object.assign(AsyncResource.prototype, { runInAsyncScope }),
  }
}

/** Returns the scope that node:test asks for, at once after a fault or when something is declared. */
function takeScope(): Scope | undefined {
  const scope = running.getStore() ?? faulty
  faulty = undefined
  return scope
}

Object.assign(asyncHooks, {
  createHook: followScopes,
  executionAsyncId: () => takeScope()?.asyncId() ?? executionAsyncId(),
})
