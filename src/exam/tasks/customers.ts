import { expectNew, expectChange, customer, present, type TaskArea } from '../task.ts'

/** Tasks about customers with their contacts, locations and tags. */
export const customers: TaskArea = {
  area: 'customers',
  tasks: [
    {
      id: 'take-in-customer',
      role: 'office',
      level: 'easy',
      prompt: 'New customer: Ana Ruiz, 512 555 0161, 12 Elm Street, Austin 78704.',
      expect: [
        expectNew('customers', { display_name: 'Ana Ruiz' }, { with: ['customer_tags'] }),
        expectNew('contacts', { phone: '+15125550161', first_name: 'Ana', last_name: 'Ruiz' }),
        expectNew('locations', { address_line1: /^12 Elm St/i, postal_code: '78704' }),
      ],
      solve: [
        ['customers_search', { query: 'Ana Ruiz' }],
        [
          'customers_create',
          {
            customer_type: 'individual',
            first_name: 'Ana',
            last_name: 'Ruiz',
            phone: '512 555 0161',
            locations: [{ address_line1: '12 Elm Street', city: 'Austin', postal_code: '78704' }],
          },
        ],
        'Added Ana Ruiz.',
      ],
    },
    {
      id: 'change-phone',
      role: 'office',
      level: 'easy',
      prompt: 'June Whitaker has a new number: 512 555 0177.',
      expect: [expectChange('contacts', { phone: '+15125550107' }, { phone: '+15125550177' })],
      solve: [
        ['customers_search', { query: 'June Whitaker' }],
        ['customers_get', { id: '$0.rows.0.id' }],
        ['contacts_update', { id: '$1.contacts.0.id', phone: '512 555 0177' }],
        'Changed.',
      ],
    },
    {
      id: 'change-gate-code',
      role: 'office',
      level: 'medium',
      prompt: 'June Whitaker’s lake house has a new gate code, 0833. Put it where the crew will see it. Keep the rest.',
      expect: [
        expectChange(
          'locations',
          { name: 'Lake house' },
          { access_notes: /^(?![\s\S]*0822)(?=[\s\S]*0833)[\s\S]*shut-off/ },
        ),
      ],
      solve: [
        ['customers_search', { query: 'June Whitaker' }],
        ['customers_get', { id: '$0.rows.0.id' }],
        [
          'locations_update',
          {
            id: '$1.locations.1.id',
            access_notes: 'Gate code 0833. Water shut-off is by the dock steps. Call before you go.',
          },
        ],
        'The crew sees 0833 now.',
      ],
    },
    {
      id: 'add-contact',
      role: 'office',
      level: 'easy',
      prompt: 'Hyde Park Rentals has a bookkeeper now: Lena Marsh, lena@hydeparkrentals.example. Add her.',
      expect: [
        expectNew('contacts', {
          customer_id: customer('Hyde Park Rentals LLC'),
          first_name: 'Lena',
          last_name: 'Marsh',
          email: 'lena@hydeparkrentals.example',
          is_primary: false,
        }),
      ],
      solve: [
        [
          'contacts_create',
          {
            customer_id: 'Hyde Park Rentals LLC',
            first_name: 'Lena',
            last_name: 'Marsh',
            email: 'lena@hydeparkrentals.example',
            role_label: 'Bookkeeper',
          },
        ],
        'Added.',
      ],
    },
    {
      id: 'stop-texts',
      role: 'office',
      level: 'easy',
      prompt: 'Roy McAllister doesn’t want any more texts from us.',
      expect: [
        expectChange('contacts', { phone: '+15125550110' }, { sms_opt_out: true }, { also: ['sms_stopped_at'] }),
      ],
      allow: [expectNew('suppressions', {})],
      solve: [
        ['contacts_list', { customer_id: 'Roy McAllister' }],
        ['contacts_update', { id: '$0.rows.0.id', sms_opt_out: true }],
        'He won’t get any more texts.',
      ],
    },
    {
      id: 'archive-customer',
      role: 'office',
      level: 'medium',
      prompt: 'Curtis Hayes moved to Denver. Archive him.',
      expect: [
        expectChange(
          'customers',
          { display_name: 'Curtis Hayes' },
          { archived_at: present },
          { with: ['contacts', 'locations', 'correspondents'] },
        ),
      ],
      solve: [
        ['customers_search', { query: 'Curtis Hayes' }],
        'Should I archive him?',
        ['customers_archive', { id: '$0.rows.0.id' }],
        'Archived.',
      ],
    },
    {
      id: 'notice-duplicate',
      role: 'office',
      level: 'hard',
      prompt: 'Walter Brandt called, 512 555 0103, 2208 Bluebonnet Lane. Add him if we don’t have him yet.',
      expect: [],
      answer: [/already|exist|have him/i],
      solve: [['customers_search', { query: '512 555 0103' }], 'We already have him: {0.rows.0.display_name}.'],
    },
    {
      id: 'change-terms',
      role: 'office',
      level: 'easy',
      prompt: 'Riverbend Animal Clinic gets 15 days to pay from now on.',
      expect: [expectChange('customers', { display_name: 'Riverbend Animal Clinic' }, { payment_terms_days: 15 })],
      solve: [
        ['customers_search', { query: 'Riverbend' }],
        ['customers_update', { id: '$0.rows.0.id', payment_terms_days: 15 }],
        'Net 15 now.',
      ],
    },
    {
      id: 'change-language-es',
      role: 'office',
      level: 'easy',
      language: 'es',
      prompt: 'A Elena Novak hay que escribirle en español.',
      expect: [expectChange('customers', { display_name: 'Elena Novak' }, { preferred_language: /^es/ })],
      solve: [
        ['customers_search', { query: 'Elena Novak' }],
        ['customers_update', { id: '$0.rows.0.id', preferred_language: 'es-US' }],
        'Listo.',
      ],
    },
    {
      id: 'list-leads',
      role: 'office',
      level: 'easy',
      prompt: 'Which leads haven’t become customers yet?',
      expect: [],
      answer: [/Abernathy/, /Mensah/, /Yoder/, /Copper Kettle/],
      solve: [
        ['customers_search', { status: 'lead' }],
        '{0.rows.0.display_name}, {0.rows.1.display_name}, {0.rows.2.display_name}, {0.rows.3.display_name}.',
      ],
    },
    {
      id: 'whose-number',
      role: 'office',
      level: 'medium',
      prompt: 'I missed a call from 555-0117. Who is that?',
      expect: [],
      answer: [/Ramirez/],
      solve: [['customers_search', { query: '555-0117' }], 'That’s {0.rows.0.display_name}.'],
    },
    {
      id: 'make-label',
      role: 'office',
      level: 'easy',
      prompt: 'Make a yellow label called "Solar", #F9A825.',
      expect: [expectNew('tags', { name: 'Solar', color: /^#F9A825$/i })],
      solve: [['tags_create', { name: 'Solar', color: '#F9A825' }], 'Created.'],
    },
  ],
}
