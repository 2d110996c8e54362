package io.drayage.tables;

import java.io.Serial;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;

/** Tables that could not be exported, beside others that were. */
public final class ExportException extends TableException {
  @Serial private static final long serialVersionUID = 1;

  private final transient List<Path> written;
  private final transient List<TableException> failures;

  /**
   * Makes one.
   *
   * @param written the files of the other tables
   * @param failures one for each table, at least one
   */
  public ExportException(List<Path> written, List<TableException> failures) {
    super(
        failures.stream().map(TableException::getMessage).collect(Collectors.joining("; ")),
        failures.get(0));
    this.written = List.copyOf(written);
    this.failures = List.copyOf(failures);
  }

  /** The files of the other tables. */
  public List<Path> written() {
    return written;
  }

  /** One for each table that could not be exported, which its message names. */
  public List<TableException> failures() {
    return failures;
  }
}
