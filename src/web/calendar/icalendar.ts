/** Calendar event; texts are unescaped, dates and times map to those of RFC 5545 (3.3.4, 3.3.5). */
export type CalendarEvent = {
  uid: string
  /** Increases with each change, so that clients recognize the newer copy (RFC 5545 3.8.7.4). */
  sequence: number
  changedAt: Temporal.Instant
  time:
    | { start: Temporal.Instant; end: Temporal.Instant }
    | { firstDay: Temporal.PlainDate; dayAfter: Temporal.PlainDate }
  summary: string
  location: string | null
  description: string
  url: string
  isCanceled: boolean
}

/** Maximum octets per line, without the line break (RFC 5545 3.1). */
const MAX_OCTETS = 75

/** Serializes a calendar for subscribers, who refresh it every 15 minutes (RFC 5545, RFC 7986). */
export const toICalendar = (name: string, events: readonly CalendarEvent[]): string =>
  [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//Callout//Visits//EN',
    'CALSCALE:GREGORIAN',
    'METHOD:PUBLISH',
    `NAME:${escapeText(name)}`,
    `X-WR-CALNAME:${escapeText(name)}`,
    'REFRESH-INTERVAL;VALUE=DURATION:PT15M',
    'X-PUBLISHED-TTL:PT15M',
    ...events.flatMap(toLines),
    'END:VCALENDAR',
  ]
    .map((line) => `${foldLine(line)}\r\n`)
    .join('')

const toLines = (event: CalendarEvent): string[] => [
  'BEGIN:VEVENT',
  `UID:${event.uid}`,
  `SEQUENCE:${event.sequence}`,
  `DTSTAMP:${toUtc(event.changedAt)}`,
  `LAST-MODIFIED:${toUtc(event.changedAt)}`,
  ...('start' in event.time
    ? [`DTSTART:${toUtc(event.time.start)}`, `DTEND:${toUtc(event.time.end)}`]
    : [`DTSTART;VALUE=DATE:${toDate(event.time.firstDay)}`, `DTEND;VALUE=DATE:${toDate(event.time.dayAfter)}`]),
  `SUMMARY:${escapeText(event.summary)}`,
  ...(event.location === null ? [] : [`LOCATION:${escapeText(event.location)}`]),
  `DESCRIPTION:${escapeText(event.description)}`,
  `URL:${event.url}`,
  `STATUS:${event.isCanceled ? 'CANCELLED' : 'CONFIRMED'}`,
  'END:VEVENT',
]

const toUtc = (moment: Temporal.Instant): string =>
  moment.round('second').toString().replaceAll('-', '').replaceAll(':', '')

const toDate = (day: Temporal.PlainDate): string => day.toString().replaceAll('-', '')

/** Escapes a text (RFC 5545 3.3.11) and replaces control characters, which are not allowed. */
const escapeText = (text: string): string =>
  text
    .replace(/[\\;,]/g, (mark) => `\\${mark}`)
    .replace(/\r\n|[\r\n\u2028\u2029]/g, '\\n')
    .replace(/\p{Cc}/gu, ' ')

/** Folds lines longer than 75 octets, never inside a character. */
function foldLine(line: string): string {
  if (Buffer.byteLength(line) <= MAX_OCTETS) return line
  const lines: string[] = []
  let [current, octets] = ['', 0]
  for (const character of line) {
    const size = Buffer.byteLength(character)
    if (octets + size > MAX_OCTETS) {
      lines.push(current)
      ;[current, octets] = [' ', 1]
    }
    current += character
    octets += size
  }
  return [...lines, current].join('\r\n')
}
