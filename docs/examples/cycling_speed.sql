-- A metric of one's own: a row of the catalogue, and nothing else. Its records are averaged over the time that they cover.
INSERT INTO public.metric (metric, name, unit, aggregation, combine, zero_policy, licence, low, high, late_days, day_rule, noun, absence_message,
  best, intermittent, needs_source, as_shipped)
VALUES ('cycling_speed', 'cycling speed', 'm/s', 'avg', 'newest', 'ordinary', '{}', 0, 40, 3, 'start', 'm/s', 'We have no ride of {day}.',
  'none', true, false, '');
