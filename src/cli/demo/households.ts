import { austinAddress, household, person, type DemoCustomer } from './customer.ts'

/** Residential customers: homeowners and renters. */
export const households: readonly DemoCustomer[] = [
  household(
    'okafor',
    'Ngozi',
    'Okafor',
    '0101',
    austinAddress('4107 Avenue G', '78751', {
      access_notes: 'Side gate is unlatched. Crawl space hatch is behind the AC unit.',
    }),
    {
      tags: ['Maintenance plan', 'VIP'],
      lead_source: 'Referral',
      fields: { water_heater: '50 gal gas, 2016', hvac: '3 ton heat pump, 2019' },
      contacts: [person('Daniel', 'Okafor', '0102', 'daniel.okafor@example.com')],
    },
  ),
  household('brandt', 'Walter', 'Brandt', '0103', austinAddress('2208 Bluebonnet Ln', '78704'), {
    tags: ['Dog on site'],
    lead_source: 'Website',
    fields: { water_heater: '40 gal electric, 2009', house_built: 1954 },
  }),
  household('delgado', 'Marisol', 'Delgado', '0104', austinAddress('1411 Tillery St', '78702'), {
    preferred_language: 'es-US',
    lead_source: 'Neighbor',
    contacts: [person('Rubén', 'Delgado', '0105')],
  }),
  household(
    'huang',
    'Kevin',
    'Huang',
    '0106',
    austinAddress('11804 Arch Hill Dr', '78750', { access_notes: 'Gate code 4417#. Attic ladder in the hallway.' }),
    { tags: ['Gate code', 'Maintenance plan'], fields: { hvac: 'Two zones, 2021', filter_size: '20x25x4' } },
  ),
  household('whitaker', 'June', 'Whitaker', '0107', austinAddress('3006 Jefferson St', '78703', { name: 'Home' }), {
    tags: ['VIP', 'Gate code'],
    lead_source: 'Referral',
    locations: [
      austinAddress('19 Lakeshore Pt', '78734', {
        name: 'Lake house',
        city: 'Lakeway',
        access_notes: 'Gate code 0822. Water shut-off is by the dock steps. Call before you go.',
      }),
    ],
  }),
  household('singh', 'Harpreet', 'Singh', '0108', austinAddress('6512 Shadow Valley Dr', '78731'), {
    tags: ['Maintenance plan'],
    fields: { water_softener: true, water_heater: 'Tankless gas, 2022' },
    contacts: [person('Simran', 'Singh', '0109')],
  }),
  household('mcallister', 'Roy', 'McAllister', '0110', austinAddress('809 W Lynn St', '78703'), {
    tags: ['Slow payer'],
    lead_source: 'Yard sign',
    fields: { pipes: 'Galvanized, repiped upstairs only' },
  }),
  household('park', 'Soo-jin', 'Park', '0111', austinAddress('5300 Duval St', '78751', { address_line2: 'Unit B' }), {
    lead_source: 'Search',
    fields: { renter: true, landlord: 'Hyde Park Rentals' },
  }),
  household('castellanos', 'Hector', 'Castellanos', '0112', austinAddress('7203 Bethune Ave', '78752'), {
    preferred_language: 'es-US',
    tags: ['Warranty'],
    fields: { water_heater: '50 gal gas, installed by us' },
  }),
  household('novak', 'Elena', 'Novak', '0113', austinAddress('9809 Chukar Cir', '78758'), {
    tags: ['Dog on site', 'Maintenance plan'],
    fields: { filter_size: '16x25x1' },
  }),
  household('freeman', 'Tobias', 'Freeman', '0114', austinAddress('2502 Sol Wilson Ave', '78702'), {
    lead_source: 'Neighbor',
  }),
  household(
    'lindqvist',
    'Astrid',
    'Lindqvist',
    '0115',
    austinAddress('1705 Kinney Ave', '78704', { access_notes: 'Key box on the porch rail, code 2580.' }),
    { lead_source: 'Home show', fields: { septic: false, water_heater: 'Heat pump, 2023' } },
  ),
  household('ramirez', 'Beto', 'Ramirez', '0116', austinAddress('610 Cardinal Ln', '78745'), {
    tags: ['Warranty'],
    contacts: [person('Lupe', 'Ramirez', '0117')],
  }),
  household(
    'oconnell',
    'Maeve',
    "O'Connell",
    '0118',
    austinAddress('8412 Lime Creek Rd', '78641', { city: 'Leander' }),
    {
      fields: { septic: true, well: true },
      locations: [austinAddress('PO Box 1184', '78646', { city: 'Leander', type: 'billing' })],
    },
  ),
  household('tran', 'Minh', 'Tran', '0119', austinAddress('12500 Turtle Rock Rd', '78729'), {
    tags: ['Maintenance plan'],
    fields: { hvac: '4 ton split, 2012' },
  }),
  household('goldberg', 'Ira', 'Goldberg', '0120', austinAddress('4600 Crestway Dr', '78731'), {
    lead_source: 'Referral',
    contacts: [person('Naomi', 'Goldberg', '0121', 'naomi.goldberg@example.com')],
  }),
  household(
    'hayes',
    'Curtis',
    'Hayes',
    '0122',
    austinAddress('1900 Wickersham Ln', '78741', { address_line2: 'Apt 214' }),
    { status: 'inactive', fields: { moved_away: true } },
  ),
  household('pruitt', 'Lorna', 'Pruitt', '0123', austinAddress('205 Old Blue Mountain Ln', '78640', { city: 'Kyle' }), {
    do_not_service: true,
    tags: ['Slow payer'],
  }),
  household('abernathy', 'Cora', 'Abernathy', '0124', austinAddress('3417 Govalle Ave', '78702'), {
    status: 'lead',
    lead_source: 'Website',
  }),
  household('mensah', 'Kofi', 'Mensah', '0125', austinAddress('10203 Gobi Dr', '78717'), {
    status: 'lead',
    lead_source: 'Search',
  }),
  household('yoder', 'Beth', 'Yoder', '0126', austinAddress('715 Rio Grande Dr', '78610', { city: 'Buda' }), {
    status: 'lead',
    lead_source: 'Home show',
  }),
]
