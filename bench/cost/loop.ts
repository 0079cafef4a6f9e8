/**
 * Watches the event loop. Returns a function that stops watching and returns the longest turn of the loop in milliseconds
 * of the thread's processor time. Waiting and other processes don't count.
 */
export function watchLoop(): () => number {
  let longest = 0
  let isOver = false
  let before = process.threadCpuUsage()
  const turn = (): void => {
    const now = process.threadCpuUsage()
    longest = Math.max(longest, (now.user + now.system - before.user - before.system) / 1_000)
    before = now
    if (!isOver) setImmediate(turn)
  }
  setImmediate(turn)
  return () => {
    isOver = true
    return longest
  }
}
