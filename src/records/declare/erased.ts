import { sql } from '../../platform/db/database.ts'

/** Replacement for a required text. */
const ERASED = 'Erased'

/** Values of columns after a customer's erasure. */
export const erased = {
  nothing: sql`null`,
  text: sql`${ERASED}`,
  folded: sql`${ERASED.toLowerCase()}`,
  no: sql`false`,
  noFields: sql`'{}'::jsonb`,
  /** Line items with their amounts, but without their texts. */
  lines: sql`(
    select coalesce(jsonb_agg(line || jsonb_build_object('name', ${ERASED}::text, 'description', null,
      'unit', case when line ->> 'unit' is null then null else 'each' end) order by place), '[]'::jsonb)
    from jsonb_array_elements(line_items) with ordinality as l(line, place))`,
}
