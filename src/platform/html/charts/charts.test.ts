import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { load } from 'cheerio'
import fc from 'fast-check'
import { barChart, stackChart } from './bar_chart.ts'
import type { Chart } from './chart.ts'
import { lineChart } from './line_chart.ts'
import { rowChart } from './row_chart.ts'
import { columnsOf, heightOf, valueScale } from './scale.ts'

const value = fc.integer({ min: -1_000_000_000, max: 1_000_000_000 })
/** Returns the value, or 0 for a missing one. */
const there = (value: number | null): number => value ?? 0
const series = fc.integer({ min: 1, max: 4 })
const chart = series.chain((count) =>
  fc
    .array(fc.array(value, { minLength: count, maxLength: count }), { minLength: 1, maxLength: 60 })
    .map((rows): Chart => ({
      title: 'T',
      head: 'H',
      series: Array.from({ length: count }, (_, i) => `S${i}`),
      points: rows.map((values, i) => ({ label: `P${i}`, values })),
      format: String,
      formatTick: String,
      hasTotal: true,
    })),
)

describe('charts', () => {
  it('fit every value and 0 into the height, with even ticks', () => {
    fc.assert(
      fc.property(fc.array(value, { maxLength: 50 }), (values) => {
        const scale = valueScale(values)
        for (const one of [0, ...values]) {
          const y = heightOf(scale, one)
          assert.ok(y >= 0 && y <= scale.height, `${one} is at ${y}`)
        }
        const [first = 0, second = 0] = scale.ticks
        const step = second - first
        assert.ok(step > 0)
        for (const [i, tick] of scale.ticks.entries()) assert.ok(Math.abs(tick - first - i * step) <= step * 1e-6)
        assert.equal(heightOf(scale, first), scale.height)
        assert.equal(heightOf(scale, scale.ticks.at(-1) ?? NaN), 0)
      }),
    )
  })

  it('divide the width evenly', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 200 }), (count) => {
        const columns = columnsOf(count)
        for (let i = 0; i < count; i++) assert.ok(Math.abs(columns.middleOf(i) - ((i + 0.5) / count) * 1000) < 0.11)
      }),
    )
  })

  it('show every value in a column and in the table with totals', () => {
    fc.assert(
      fc.property(chart, fc.constantFrom(barChart, stackChart, lineChart), (given, draw) => {
        const $ = load(draw(given).toString())
        const tips = $('.chart-tip')
          .map((_, tip) => $(tip).find('span').text())
          .get()
        const many = given.series.length > 1
        assert.deepEqual(
          tips,
          given.points.map(({ values }) => values.map((one, i) => `${many ? `S${i}: ` : ''}${one}`).join('')),
        )
        assert.deepEqual(
          $('tbody td')
            .map((_, cell) => Number($(cell).text()))
            .get(),
          given.points.flatMap(({ values }) => [...values]),
        )
        assert.deepEqual(
          $('tfoot td')
            .map((_, cell) => Number($(cell).text()))
            .get(),
          given.series.map((_, s) => given.points.reduce<number>((sum, { values }) => sum + (values[s] ?? 0), 0)),
        )
        assert.equal($('.chart-point').length, given.points.length)
        assert.doesNotMatch($.html(), /NaN|Infinity|undefined| style=/)
      }),
      { numRuns: 60 },
    )
  })

  it('stack bars without gaps: positive ones upward, negative ones downward', () => {
    fc.assert(
      fc.property(chart, (given) => {
        const $ = load(stackChart(given).toString())
        const scale = valueScale(
          given.points.flatMap(({ values }) => [
            values.reduce<number>((sum, one) => sum + Math.max(0, there(one)), 0),
            values.reduce<number>((sum, one) => sum + Math.min(0, there(one)), 0),
          ]),
        )
        const drawn = $('rect')
          .map((_, bar) => Number(bar.attribs['height']))
          .get()
          .reduce((sum, one) => sum + one, 0)
        const all = given.points
          .flatMap(({ values }) => values)
          .reduce<number>((sum, one) => sum + Math.abs(there(one)), 0)
        const [low = 0, high = 0] = [scale.ticks[0], scale.ticks.at(-1)]
        const expected = (all / (high - low)) * scale.height
        assert.ok(Math.abs(drawn - expected) <= given.points.length * given.series.length * 0.11)
      }),
      { numRuns: 60 },
    )
  })

  it('draw rows in proportion, with a minimum width, and none for 0 or less', () => {
    const $ = load(
      rowChart('T', [
        { label: 'a', value: 200, text: '200' },
        { label: 'b', value: 50, text: '50' },
        { label: 'c', value: 0.1, text: '0.1' },
        { label: 'd', value: 0, text: '0' },
        { label: 'e', value: -5, text: '-5' },
      ]).toString(),
    )
    assert.deepEqual(
      $('rect')
        .map((_, bar) => bar.attribs['width'])
        .get(),
      ['100', '25', '1'],
    )
    assert.equal($('dd').text(), '200500.10-5')
  })

  it('leave a gap in a line for a missing value', () => {
    const values = [1, null, 3, 4]
    const points = values.map((one, i) => ({ label: `P${i}`, values: [one] }))
    const $ = load(
      lineChart({ title: 'T', head: 'H', series: ['S'], points, format: String, formatTick: String }).toString(),
    )
    assert.equal($('.line').attr('d')?.match(/M/g)?.length, 2)
    assert.deepEqual(
      $('tbody td')
        .map((_, cell) => $(cell).text())
        .get(),
      ['1', '–', '3', '4'],
    )
  })

  it('escape names', () => {
    const html = rowChart('T', [{ label: '<script>', value: 1, text: '"', href: '"><b>' }]).toString()
    assert.doesNotMatch(html, /<script>|"><b>/)
  })
})
