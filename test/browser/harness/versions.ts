import { once } from 'node:events'
import { createServer, request, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'

/** URL of an asset of the mobile page. */
const ASSET = /\/assets\/(?:field\w*|patch)\.[\w-]{12}\.(?:js|css)/g
const isAsset = (path: string): boolean => /^\/assets\/(?:field\w*|patch)\..*\.(?:js|css)$/.test(path)
const isOfPage = (path: string): boolean => path.startsWith('/field/') || isAsset(path)

/**
 * Proxies a service as another release would serve it: the mobile page has another version, its scripts and styles
 * have new addresses without the old ones, and the day has fields unknown to older pages. `serve` sets the release.
 */
export async function openVersions() {
  let [version, port] = [1, 0]
  const server = createServer((asked, answer) => void pass(asked, answer).catch(() => answer.destroy()))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')

  async function pass(asked: IncomingMessage, answer: ServerResponse): Promise<void> {
    const [path, now] = [asked.url ?? '', version]
    const named = /\/assets\/.*\.v(\d+)\.(?:js|css)$/.exec(path)?.[1] ?? '1'
    if (isAsset(path) && Number(named) !== now) return void answer.writeHead(404).end()
    const onward = request({
      host: '127.0.0.1',
      port,
      method: asked.method,
      path: path.replace(/\.v\d+(?=\.(?:js|css)$)/, ''),
      headers: { ...asked.headers, 'accept-encoding': 'identity' },
      agent: false,
    })
    onward.end(await buffer(asked))
    const [response] = (await once(onward, 'response')) as [IncomingMessage]
    const content = await buffer(response)
    const body = now > 1 && isOfPage(path) ? Buffer.from(rewriteForRelease(path, content.toString(), now)) : content
    const { 'transfer-encoding': _, 'content-length': __, ...headers } = response.headers
    answer.writeHead(response.statusCode!, headers).end(body)
  }

  return {
    baseUrl: `http://localhost:${(server.address() as AddressInfo).port}`,
    before: (origin: string): void => void (port = Number(new URL(origin).port)),
    serve: (release: number): void => void (version = release),
    close: (): void => {
      server.close()
      server.closeAllConnections()
    },
  }
}

/** Returns a release's response for an address. */
function rewriteForRelease(path: string, text: string, version: number): string {
  const named = text.replace(ASSET, (address) => address.replace(/(?=\.(?:js|css)$)/, `.v${version}`))
  if (path.startsWith('/field/worker.js')) return named.replace('"version":"', `"version":"${version}`)
  if (path.startsWith('/assets/field.')) return `${named}\ndocument.documentElement.dataset.release = '${version}'\n`
  if (!path.endsWith('/day.json') || text === '') return named
  const day = JSON.parse(text) as { visits?: object[]; may?: object }
  return JSON.stringify({
    ...day,
    news: { of: version },
    may: { ...day.may, news: true },
    visits: day.visits?.map((visit) => ({ ...visit, news: [version] })),
  })
}
