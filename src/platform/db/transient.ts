import { setTimeout } from 'node:timers/promises'
import { Unavailable } from '../errors/refusal.ts'
import { errorCode } from '../errors/error_code.ts'

/** Checks for 40001 serialization_failure and 40P01 deadlock_detected. */
export const isTransient = (error: unknown): boolean => {
  const code = errorCode(error)
  return code === '40001' || code === '40P01'
}

/**
 * Runs a transaction, and retries it after a deadlock or serialization failure with a short random delay, up to `times`
 * attempts. Then throws `Unavailable`: nothing was done.
 */
export async function retryTransient<T>(run: () => Promise<T>, times = 3): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await run()
    } catch (error) {
      if (!isTransient(error)) throw error
      if (attempt === times) throw new Unavailable('others changed the same records', { cause: error })
      await setTimeout(attempt * 20 * (1 + Math.random()))
    }
  }
}
