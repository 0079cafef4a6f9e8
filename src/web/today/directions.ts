/**
 * Returns a link to directions: Apple Maps in Apple browsers, the user's default app on Android, and Google Maps
 * elsewhere.
 */
export function directionsTo(address: string, browser = ''): string {
  if (/iPhone|iPad|Macintosh/.test(browser))
    return `https://maps.apple.com/?${new URLSearchParams({ daddr: address }).toString()}`
  if (browser.includes('Android')) return `geo:0,0?q=${encodeURIComponent(address)}`
  return `https://www.google.com/maps/dir/?${new URLSearchParams({ api: '1', destination: address }).toString()}`
}
