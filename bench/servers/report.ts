/** Tells the bench where this server listens, and on each question what it has used: CPU in microseconds, memory in bytes. Ends with the bench. */
export function report(port: number): void {
  process.on('message', () => process.send?.({ cpu: process.cpuUsage(), rss: process.memoryUsage.rss() }))
  process.on('disconnect', () => process.exit(0))
  process.send?.({ port })
}
