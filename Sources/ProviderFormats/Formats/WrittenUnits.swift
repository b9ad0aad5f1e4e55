/// The words with which HealthKit, and what exports from it, name units; each in UCUM.
enum WrittenUnits {
  static let count = ["count": "1"]
  static let length = ["m": "m", "km": "km", "mi": "mi", "ft": "ft", "cm": "cm", "mm": "mm"]
  static let energy = ["kcal": "kcal", "Cal": "kcal", "cal": "cal", "kJ": "kJ", "J": "J"]
  static let time = ["min": "min", "s": "s", "ms": "ms", "hr": "h"]
  static let rate = ["count/min": "/min", "bpm": "/min", "count/s": "Hz"]
  static let milliseconds = ["ms": "ms", "s": "s"]
  static let mass = ["kg": "kg", "g": "g", "lb": "lb"]
  static let substance = ["mg": "mg", "g": "g", "mcg": "ug"]
  static let volume = ["mL": "mL", "L": "L", "fl_oz_us": "[foz_us]"]
  static let pressure = ["mmHg": "mm[Hg]", "kPa": "kPa"]
  static let temperature = ["degC": "Cel", "degF": "[degF]", "K": "K"]
  /// HealthKit names the molar mass of glucose, in more digits or fewer.
  static let glucose = [
    "mg/dL": "mg/dL", "mmol/L": "mmol/L", "mmol<180.15588>/L": "mmol/L", "mmol<180.1558800000541>/L": "mmol/L",
    "mmol<180.15588000005408>/L": "mmol/L",
  ]
  static let oxygenUptake = [
    "mL/kg*min": "mL/min/kg", "mL/min·kg": "mL/min/kg", "mL/(kg·min)": "mL/min/kg", "ml/(kg*min)": "mL/min/kg",
    "mL/kg/min": "mL/min/kg",
  ]
  /// HealthKit's percent are fractions: 0.97 with the unit `%`.
  static let fraction = ["%": "1"]
  static let percent = ["%": "%"]
}
