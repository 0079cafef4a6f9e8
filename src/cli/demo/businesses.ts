import { austinAddress, business, person, type DemoCustomer } from './customer.ts'

/** Business customers: restaurants, landlords, a school, a church. */
export const businesses: readonly DemoCustomer[] = [
  business(
    'hydepark',
    'Hyde Park Rentals LLC',
    person('Gwen', 'Albright', '0140', 'gwen@hydeparkrentals.example', 'Property manager'),
    austinAddress('4305 Guadalupe St', '78751', { type: 'billing', name: 'Office' }),
    {
      tags: ['Property manager', 'Net 30'],
      lead_source: 'Referral',
      contacts: [person('Theo', 'Marsh', '0141', 'theo@hydeparkrentals.example', 'Maintenance')],
      locations: [
        austinAddress('4500 Speedway', '78751', {
          name: 'Speedway fourplex',
          access_notes: 'Boiler room key is in the lock box, code 1937.',
        }),
        austinAddress('5300 Duval St', '78751', { name: 'Duval duplex' }),
      ],
    },
  ),
  business(
    'calaveras',
    'Taqueria Dos Calaveras',
    person('Pilar', 'Montoya', '0142', 'pilar@doscalaveras.example', 'Owner'),
    austinAddress('2113 E Cesar Chavez St', '78702', {
      access_notes: 'Service entrance in the alley, not between 11 and 2.',
    }),
    {
      tags: ['Net 30', 'Maintenance plan'],
      preferred_language: 'es-US',
      fields: { grease_trap: '75 gal', walk_in_cooler: true },
      contacts: [person('Chuy', 'Montoya', '0143', undefined, 'Kitchen manager')],
    },
  ),
  business(
    'riverbend',
    'Riverbend Animal Clinic',
    person('Alicia', 'Stone', '0144', 'office@riverbendvets.example', 'Office manager'),
    austinAddress('8906 Wall St', '78754', { address_line2: 'Suite 300' }),
    { tags: ['Net 30'], lead_source: 'Website', fields: { rooftop_units: 2 } },
  ),
  business(
    'stelmo',
    'St. Elmo Community Church',
    person('Raymond', 'Poole', '0145', 'facilities@stelmochurch.example', 'Facilities'),
    austinAddress('611 W St Elmo Rd', '78745'),
    { tax_exempt: true, tags: ['Maintenance plan'], fields: { rooftop_units: 4, exemption_certificate: 'on file' } },
  ),
  business(
    'lantern',
    'Lantern Hill Montessori',
    person('Farah', 'Aziz', '0146', 'farah@lanternhill.example', 'Director'),
    austinAddress('3901 Manchaca Rd', '78704', {
      access_notes: 'Sign in at the front desk. No work in classrooms before 3:15 pm.',
    }),
    { tax_exempt: true, payment_terms_days: 45, tags: ['Net 30'] },
  ),
  business(
    'foundry',
    'The Foundry Coworking',
    person('Wes', 'Tilman', '0147', 'wes@foundrycowork.example', 'Community manager'),
    austinAddress('1200 E 5th St', '78702', { access_notes: 'Freight elevator code 5150.' }),
    { tags: ['Gate code', 'Net 30'], fields: { rooftop_units: 3, restrooms: 6 } },
  ),
  business(
    'cedarpark',
    'Cedar Bluff HOA',
    person('Joyce', 'Lindell', '0148', 'board@cedarbluffhoa.example', 'Board president'),
    austinAddress('1501 Brushy Bend Dr', '78613', { city: 'Cedar Park', name: 'Clubhouse and pool' }),
    {
      tags: ['Property manager', 'Gate code'],
      payment_terms_days: 15,
      contacts: [person('Omar', 'Haddad', '0149', undefined, 'Pool caretaker')],
    },
  ),
  business(
    'bluestem',
    'Bluestem Builders',
    person('Travis', 'Cooke', '0150', 'travis@bluestembuilders.example', 'Superintendent'),
    austinAddress('14020 Old Lockhart Hwy', '78747', { name: 'Yard' }),
    {
      tags: ['Net 30', 'Slow payer'],
      lead_source: 'Trade association',
      locations: [austinAddress('2804 Zaragoza St', '78702', { name: 'Zaragoza new build' })],
    },
  ),
  business(
    'copperkettle',
    'Copper Kettle Bakery',
    person('Ines', 'Beaumont', '0151', 'ines@copperkettle.example', 'Owner'),
    austinAddress('7318 Burnet Rd', '78757'),
    { status: 'lead', lead_source: 'Referral', fields: { ovens: 3 } },
  ),
]
