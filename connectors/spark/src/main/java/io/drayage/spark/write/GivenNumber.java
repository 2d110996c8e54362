package io.drayage.spark.write;

import io.drayage.frame.AppVersion;
import io.drayage.spark.database.DrayageException;
import org.apache.spark.sql.RuntimeConfig;
import org.apache.spark.sql.SparkSession;
import org.jspecify.annotations.Nullable;

/**
 * The number that an application gives a write, as options or settings of a session say it.
 *
 * @param app the application; null if it is not said
 * @param version the number; null if it is not said
 */
public record GivenNumber(@Nullable String app, @Nullable String version) {
  /** No number. */
  public static final GivenNumber NONE = new GivenNumber(null, null);

  static final String APP_ID = "txnAppId";
  static final String APP_VERSION = "txnVersion";

  /** The number that a session gives its next statement. */
  static GivenNumber of(RuntimeConfig session) {
    return new GivenNumber(
        session.get(WritePlan.OF_SESSION + APP_ID, null),
        session.get(WritePlan.OF_SESSION + APP_VERSION, null));
  }

  /** Takes the number of the active session for one statement, however that ends. */
  public static GivenNumber take() {
    RuntimeConfig session = SparkSession.active().conf();
    GivenNumber taken = of(session);
    session.unset(WritePlan.OF_SESSION + APP_ID);
    session.unset(WritePlan.OF_SESSION + APP_VERSION);
    return taken;
  }

  /**
   * The number for a table; null for none.
   *
   * @throws DrayageException if only one of both is said, or no such value
   */
  @Nullable AppVersion forTable(String table) {
    if ((app == null) != (version == null)) {
      throw invalid("%s and %s belong together".formatted(APP_ID, APP_VERSION));
    }
    if (app == null || version == null) {
      return null;
    }
    try {
      return AppVersion.of(app, Long.parseLong(version), table);
    } catch (NumberFormatException e) {
      throw invalid("%s must be a number, not '%s'".formatted(APP_VERSION, version));
    } catch (IllegalArgumentException e) {
      throw invalid("%s and %s: %s".formatted(APP_ID, APP_VERSION, e.getMessage()));
    }
  }

  private static DrayageException invalid(String text) {
    return new DrayageException(DrayageException.Condition.INVALID_OPTION, text);
  }
}
