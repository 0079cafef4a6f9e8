import { setTimeout as sleep } from 'node:timers/promises'
import { listen } from '../../../src/platform/http/server.ts'

/**
 * Server that reports when it listens, answers after the number of milliseconds in the URL, and stops on SIGTERM like
 * the service.
 */
const { port, stopDelayMs } = JSON.parse(process.argv[2]!) as { port: number; stopDelayMs: number }
let isReady = true
const { stop } = await listen(
  async (req, res) => {
    for await (const _ of req);
    if (req.url === '/health/ready') return void res.writeHead(isReady ? 200 : 503).end()
    await sleep(Number(req.url!.slice(1)))
    res.writeHead(200, { 'Content-Length': 2 }).end('ok')
  },
  { host: '127.0.0.1', port, stopDelayMs },
)
process.on('SIGTERM', () => {
  isReady = false
  void stop().then(() => process.exit(0))
})
process.stdout.write('listens')
