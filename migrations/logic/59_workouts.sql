-- 59_workouts.sql - what a person is shown of a workout. Read with the asker's rights. Writes nothing.

CREATE OR REPLACE FUNCTION public.workout_label(p_field text, p_value numeric, p_coverage numeric) RETURNS text
LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
DECLARE
  percent constant integer := round(p_coverage * 100);
  shown text;
BEGIN
  IF p_field IS NULL OR p_field NOT IN ('distance', 'average_speed', 'elevation_gain', 'average_heart_rate') THEN
    RAISE EXCEPTION 'A workout has no "%": ask for distance, average_speed, elevation_gain or average_heart_rate.', p_field USING ERRCODE = 'invalid_parameter_value';
  ELSIF p_value IS NULL THEN
    RETURN format('no %s data', CASE p_field WHEN 'average_speed' THEN 'speed' WHEN 'elevation_gain' THEN 'elevation' WHEN 'average_heart_rate' THEN 'heart rate' ELSE p_field END);
  END IF;
  shown := CASE p_field
    WHEN 'distance' THEN CASE WHEN p_value >= 1000 THEN round(p_value / 1000, 1) || '% km' ELSE round(p_value) || '% m' END
    WHEN 'average_speed' THEN round(p_value * 3.6, 1) || ' km/h'
    WHEN 'elevation_gain' THEN round(p_value) || '% m'
    ELSE round(p_value) || ' bpm' END;
  RETURN replace(shown, '%', CASE WHEN percent < 100 THEN '+' ELSE '' END)
    || CASE WHEN percent >= 100 THEN '' WHEN percent < 1 THEN ' (under 1 % of workout)' ELSE format(' (%s %% of workout)', percent) END;
END $$;
COMMENT ON FUNCTION public.workout_label(text, numeric, numeric)
  IS 'What a person is shown of a quantity of workout_summary: "no elevation data", "0 m", "5.2+ km (87 % of workout)". The plus where a gap can only have made it too small. Does not know: value NULL. An error: a field that there is not.';
