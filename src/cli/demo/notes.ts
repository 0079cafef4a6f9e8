import type { Customers } from './customers.ts'
import type { PersonName } from './people.ts'
import { workday, type DemoSite } from './work/site.ts'
import { requireValue } from '../../platform/errors/require_value.ts'

/** Formats a working day relative to today: `Tue, Nov 24`. */
type Day = (days: number) => string

type DemoNote = { by: PersonName; about?: string; body: string | ((day: Day) => string) }

/** Adds notes to customers, in the order they were written. */
export async function makeNotes({ today, make }: DemoSite, customers: Customers): Promise<void> {
  const day: Day = (days) =>
    workday(today, days).toLocaleString('en-US', { weekday: 'short', month: 'short', day: 'numeric' })
  for (const { by, about, body } of NOTES) {
    await make(
      'notes_create',
      {
        body: typeof body === 'string' ? body : body(day),
        ...(about === undefined
          ? {}
          : { subject_type: 'customer', subject_id: requireValue(customers.get(about), about).id }),
      },
      by,
    )
  }
}

const NOTES: readonly DemoNote[] = [
  {
    by: 'priya',
    about: 'okafor',
    body:
      'Plan customer since 2019. Prefers Luis, mornings before 10. ' +
      'Text Ngozi when the tech is on the way, Daniel works nights.',
  },
  {
    by: 'luis',
    about: 'okafor',
    body: (day) =>
      `Water heater from 2016: anode is nearly gone and there is light rust at the cold inlet. ` +
      `Told Ngozi on ${day(-9)}: a year or two. Wants a tankless quote.`,
  },
  {
    by: 'marcus',
    about: 'brandt',
    body:
      'Cast iron under the slab. Cabled the kitchen line to 45 ft and pulled roots. ' +
      'If it backs up again, camera it before cabling.',
  },
  {
    by: 'cole',
    about: 'brandt',
    body: 'Biscuit the dog is friendly but will get out. Close the side gate behind you.',
  },
  {
    by: 'priya',
    about: 'delgado',
    body: 'Marisol habla español; call Rubén at his number if she does not pick up. Both are home after 4.',
  },
  {
    by: 'tasha',
    about: 'huang',
    body:
      'Upstairs zone short-cycled. Found the return blocked by a bookcase, moved it and reset. ' +
      'Filter is 20x25x4, left two in the closet.',
  },
  {
    by: 'priya',
    about: 'whitaker',
    body: (day) =>
      `Opens the lake house around ${day(12)}. ` +
      `Wants water turned on, heater flushed and the dock hose bib checked the day before.`,
  },
  { by: 'dana', about: 'whitaker', body: 'June sends us half of Tarrytown. Waive the trip charge.' },
  {
    by: 'marcus',
    about: 'singh',
    body:
      'Descaled the tankless heater, flow is back to 6.8 gpm. ' +
      'Softener salt was empty, Simran will keep an eye on it.',
  },
  {
    by: 'dana',
    about: 'mcallister',
    body: (day) =>
      `Paid the last invoice three months late. Called on ${day(-4)}: agreed to a card on file before any new work.`,
  },
  {
    by: 'luis',
    about: 'mcallister',
    body:
      'Galvanized below, copper above, no dielectric unions. Every repair down there turns into three. ' +
      'Quote the whole run or nothing.',
  },
  { by: 'priya', about: 'park', body: 'Renter. Anything over $250 needs a yes from Gwen at Hyde Park Rentals first.' },
  {
    by: 'cole',
    about: 'castellanos',
    body:
      'Heater we put in: tank is under warranty to year six, labor to year two. ' +
      'Serial number is in the photo on the tank.',
  },
  {
    by: 'tasha',
    about: 'novak',
    body:
      'Blower wheel was caked, cleaned it in place. Static pressure from 0.92 down to 0.61. ' +
      'Recommend a media cabinet next visit.',
  },
  {
    by: 'marcus',
    about: 'ramirez',
    body: (day) => `Disposer we installed hums and trips. Covered: ordered a new one, part is due ${day(3)}.`,
  },
  {
    by: 'cole',
    about: 'oconnell',
    body:
      'On a well: pressure tank was waterlogged, 38 to 60 psi after recharge. ' +
      'Septic lid is under the stepping stones by the oak.',
  },
  {
    by: 'tasha',
    about: 'tran',
    body:
      'R-22 system from 2012, topped up once already. ' +
      'Minh knows that the next leak means a new system; wants two sizes quoted.',
  },
  {
    by: 'dana',
    about: 'pruitt',
    body: 'Do not book. Two returned checks and yelled at Cole. Send her to me if she calls.',
  },
  {
    by: 'priya',
    about: 'abernathy',
    body: (day) =>
      `Found us on the web. Wants a bathroom added in the garage, plans come by ${day(5)}. Call back then.`,
  },
  {
    by: 'priya',
    about: 'hydepark',
    body:
      'Tenants may call us directly for no heat, no water or a leak. Anything else goes through Gwen. ' +
      'Put the unit number on every invoice.',
  },
  {
    by: 'luis',
    about: 'hydepark',
    body: 'Speedway boiler: expansion tank replaced, relief valve weeps a little still. Look at it on the next visit.',
  },
  {
    by: 'marcus',
    about: 'calaveras',
    body: 'Grease trap is 75 gal and full in five weeks, not eight. Talked Chuy into monthly service.',
  },
  {
    by: 'tasha',
    about: 'stelmo',
    body: (day) =>
      `RTU 3 contactor is pitted and loud. Replace it before the concert on ${day(8)}. ` +
      `Units are numbered from the bell tower.`,
  },
  {
    by: 'priya',
    about: 'lantern',
    body: 'Purchase order number goes on the invoice or their district will not pay it.',
  },
  {
    by: 'dana',
    body: (day) =>
      `Crew meeting ${day(1)} at 7 am: new vacuum pumps, who takes the on-call phone next week, ` +
      `and please close out jobs the same day.`,
  },
]
