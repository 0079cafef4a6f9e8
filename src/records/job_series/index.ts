export { rhythmOf } from './rhythm/rhythm.ts'
export { catchUpSeries as catchUp, dueSeries, extendSeries, finishSeries, realignSeries } from './generation.ts'
export { activeSeriesOf, findSeriesName as seriesNamed } from './job_series.ts'
export type { JobSeries } from './fields.ts'
