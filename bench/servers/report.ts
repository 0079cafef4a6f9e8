/**
 * Sends the port to the bench. Answers each message with the usage so far: CPU in microseconds, memory in bytes. Exits
 * when the bench does.
 */
export function report(port: number): void {
  process.on('message', () => process.send?.({ cpu: process.cpuUsage(), rss: process.memoryUsage.rss() }))
  process.on('disconnect', () => process.exit(0))
  process.send?.({ port })
}
