/**
 * Returns a link that opens the way to an address in the maps of a phone: Apple's where the browser is Apple's,
 * whichever the person chose on Android, and a map on the web elsewhere.
 */
export function directionsTo(address: string, browser = ''): string {
  if (/iPhone|iPad|Macintosh/.test(browser))
    return `https://maps.apple.com/?${new URLSearchParams({ daddr: address }).toString()}`
  if (browser.includes('Android')) return `geo:0,0?q=${encodeURIComponent(address)}`
  return `https://www.google.com/maps/dir/?${new URLSearchParams({ api: '1', destination: address }).toString()}`
}
