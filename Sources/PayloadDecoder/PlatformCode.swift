/// The canonical spelling of a platform's error code.
public func platformCode(_ raw: String) -> String { raw }
