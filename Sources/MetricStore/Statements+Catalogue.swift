/// The SQL texts that fill the catalogue tables from the CSV files, one array parameter per column.
///
/// A row that is not there is inserted. One that still is as it was shipped follows the file; one that an operator has
/// edited since is left alone, for good.
extension Statements {
  static let shipMetrics = """
    INSERT INTO public.metric AS m (metric, name, unit, aggregation, combine, zero_policy, parent, licence, evidence, low, high,
      late_days, day_rule, noun, absence_message, healthkit, health_connect, loinc, best, intermittent, needs_source, as_shipped)
    SELECT n.a, n.b, n.c, n.d, n.e, n.f, NULLIF(n.g, ''), string_to_array(n.h, ' '), NULLIF(n.i, ''), n.j::numeric, n.k::numeric,
      n.l::integer, n.m, n.n, n.o, NULLIF(n.p, ''), NULLIF(n.q, ''), NULLIF(n.r, ''), n.s, n.t::boolean, n.u::boolean, ''
    FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[], $8::text[], $9::text[], $10::text[], $11::text[],
      $12::text[], $13::text[], $14::text[], $15::text[], $16::text[], $17::text[], $18::text[], $19::text[], $20::text[], $21::text[])
      WITH ORDINALITY AS n (a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u, line)
    WHERE NOT EXISTS (SELECT FROM public.metric known WHERE known.metric = n.a AND known.as_shipped <> md5((to_jsonb(known) - 'as_shipped')::text))
    ORDER BY n.line
    ON CONFLICT (metric) DO UPDATE SET name = excluded.name, unit = excluded.unit, aggregation = excluded.aggregation,
      combine = excluded.combine, zero_policy = excluded.zero_policy, parent = excluded.parent, licence = excluded.licence,
      evidence = excluded.evidence, low = excluded.low, high = excluded.high, late_days = excluded.late_days, day_rule = excluded.day_rule,
      noun = excluded.noun, absence_message = excluded.absence_message, healthkit = excluded.healthkit,
      health_connect = excluded.health_connect, loinc = excluded.loinc, best = excluded.best, intermittent = excluded.intermittent,
      needs_source = excluded.needs_source, as_shipped = ''
    """
  static let shipUnits = """
    INSERT INTO public.unit AS u (unit, from_unit, factor, addend, as_shipped)
    SELECT n.a, n.b, n.c::numeric, n.d::numeric, '' FROM unnest($1::text[], $2::text[], $3::text[], $4::text[]) AS n (a, b, c, d)
    WHERE NOT EXISTS (SELECT FROM public.unit known WHERE known.unit = n.a AND known.from_unit = n.b AND known.as_shipped <> md5((to_jsonb(known) - 'as_shipped')::text))
    ON CONFLICT (unit, from_unit) DO UPDATE SET factor = excluded.factor, addend = excluded.addend, as_shipped = ''
    """
  static let shipReasons = """
    INSERT INTO public.unknown_reason AS r (rank, code, origin_of_code, meaning, action, resolves_itself, first_check, check_growth, check_until,
      alert, message, data_absent_reason, as_shipped)
    SELECT n.a::smallint, n.b, n.c, n.d, n.e, n.f::boolean, NULLIF(n.g, '')::interval, NULLIF(n.h, '')::numeric, NULLIF(n.i, '')::interval,
      n.j::boolean, n.k, n.l, ''
    FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[], $8::text[], $9::text[], $10::text[], $11::text[],
      $12::text[]) AS n (a, b, c, d, e, f, g, h, i, j, k, l)
    WHERE NOT EXISTS (SELECT FROM public.unknown_reason known WHERE known.code = n.b AND known.as_shipped <> md5((to_jsonb(known) - 'as_shipped')::text))
    ON CONFLICT (code) DO UPDATE SET rank = excluded.rank, origin_of_code = excluded.origin_of_code, meaning = excluded.meaning,
      action = excluded.action, resolves_itself = excluded.resolves_itself, first_check = excluded.first_check,
      check_growth = excluded.check_growth, check_until = excluded.check_until, alert = excluded.alert, message = excluded.message,
      data_absent_reason = excluded.data_absent_reason, as_shipped = ''
    """
  static let shipPlatforms = """
    INSERT INTO public.platform AS p (platform, name, hides_denial, is_manual, as_shipped)
    SELECT n.a, n.b, n.c::boolean, n.d::boolean, '' FROM unnest($1::text[], $2::text[], $3::text[], $4::text[]) WITH ORDINALITY AS n (a, b, c, d, line)
    WHERE NOT EXISTS (SELECT FROM public.platform known WHERE known.platform = n.a AND known.as_shipped <> md5((to_jsonb(known) - 'as_shipped' - 'preference')::text))
    ORDER BY n.line
    ON CONFLICT (platform) DO UPDATE SET name = excluded.name, hides_denial = excluded.hides_denial, is_manual = excluded.is_manual, as_shipped = ''
    """
  static let shipPlatformErrors = """
    INSERT INTO public.platform_error AS e (code, reason, detail, as_shipped)
    SELECT n.a, NULLIF(n.b, ''), NULLIF(n.c, ''), '' FROM unnest($1::text[], $2::text[], $3::text[]) AS n (a, b, c)
    WHERE NOT EXISTS (SELECT FROM public.platform_error known WHERE known.code = n.a AND known.as_shipped <> md5((to_jsonb(known) - 'as_shipped')::text))
    ON CONFLICT (code) DO UPDATE SET reason = excluded.reason, detail = excluded.detail, as_shipped = ''
    """
  /// Not the operator's to edit: what a format is, the code says.
  static let shipFormats = """
    INSERT INTO intake.format AS f (format, said, platform)
    SELECT n.a, n.b, n.c FROM unnest($1::text[], $2::text[], $3::text[]) AS n (a, b, c)
    ON CONFLICT ON CONSTRAINT format_pkey DO UPDATE SET platform = excluded.platform
    """
  /// Seals what was just shipped: from here on any edit shows.
  static let sealCatalogue = """
    UPDATE public.metric k SET as_shipped = md5((to_jsonb(k) - 'as_shipped')::text) WHERE k.as_shipped = '';
    UPDATE public.unit k SET as_shipped = md5((to_jsonb(k) - 'as_shipped')::text) WHERE k.as_shipped = '';
    UPDATE public.unknown_reason k SET as_shipped = md5((to_jsonb(k) - 'as_shipped')::text) WHERE k.as_shipped = '';
    UPDATE public.platform k SET as_shipped = md5((to_jsonb(k) - 'as_shipped' - 'preference')::text) WHERE k.as_shipped = '';
    UPDATE public.platform_error k SET as_shipped = md5((to_jsonb(k) - 'as_shipped')::text) WHERE k.as_shipped = '';
    """
}
