/** Whether test files share resources in a worker of `npm test`. A file that runs alone shares nothing. */
let isWorker = false
const ends: (() => Promise<void>)[] = []

/** Begins sharing resources in this process. `end` closes them once, after the last file. */
export function beginWorker(): { end(): Promise<void> } {
  isWorker = true
  return {
    end: async () => {
      isWorker = false
      for (const end of ends.splice(0)) await end()
    },
  }
}

export const isInWorker = (): boolean => isWorker

/** Registers a function that closes a shared resource when the worker ends. */
export const whenWorkerEnds = (end: () => Promise<void>): void => void ends.push(end)
