package io.drayage.spark.write;

import static io.drayage.spark.database.DrayageOption.TXN_APP_ID;
import static io.drayage.spark.database.DrayageOption.TXN_VERSION;

import io.drayage.frame.AppVersion;
import io.drayage.spark.database.DrayageException;
import org.apache.spark.sql.RuntimeConfig;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.execution.streaming.runtime.StreamExecution;
import org.jspecify.annotations.Nullable;

/**
 * The number that an application gives a write, by options or settings of a session.
 *
 * @param app the application; null if it is not given
 * @param version the number; null if it is not given
 */
public record GivenNumber(@Nullable String app, @Nullable String version) {
  /** No number. */
  public static final GivenNumber NONE = new GivenNumber(null, null);

  /** Returns the number that a session gives its next statement. */
  static GivenNumber of(RuntimeConfig session) {
    return new GivenNumber(
        session.get(TXN_APP_ID.setting(), null), session.get(TXN_VERSION.setting(), null));
  }

  /**
   * Takes the number of the active session for one statement, even if the statement fails.
   *
   * @throws DrayageException if the session is the copy in which {@code foreachBatch} runs, and has
   *     the number of the original session: both would use the number
   */
  public static GivenNumber take() {
    SparkSession active = SparkSession.active();
    RuntimeConfig session = active.conf();
    GivenNumber taken = of(session);
    if (!taken.equals(NONE) && isOfStream(active) && taken.equals(ofDefaultSession())) {
      throw DrayageException.invalidOption(
          "%s and %s are set in the session that started the stream, of which foreachBatch has a copy: RESET them there, and give a batch its number by options, or by SET in the session of its rows"
              .formatted(TXN_APP_ID.setting(), TXN_VERSION.setting()));
    }
    session.unset(TXN_APP_ID.setting());
    session.unset(TXN_VERSION.setting());
    return taken;
  }

  private static boolean isOfStream(SparkSession active) {
    return active.sparkContext().getLocalProperty(StreamExecution.QUERY_ID_KEY()) != null
        && !SparkSession.getDefaultSession().contains(active);
  }

  private static GivenNumber ofDefaultSession() {
    return SparkSession.getDefaultSession().isEmpty()
        ? NONE
        : of(SparkSession.getDefaultSession().get().conf());
  }

  /**
   * Returns the number for a table; null for none.
   *
   * @throws DrayageException if only one part is given, or a value is wrong
   */
  @Nullable AppVersion forTable(String table) {
    if ((app == null) != (version == null)) {
      throw DrayageException.invalidOption("txnAppId and txnVersion belong together");
    }
    if (app == null || version == null) {
      return null;
    }
    try {
      return AppVersion.of(app, Long.parseLong(version), table);
    } catch (NumberFormatException e) {
      throw DrayageException.invalidOption(
          "txnVersion must be a number, not '%s'".formatted(version));
    } catch (IllegalArgumentException e) {
      throw DrayageException.invalidOption("txnAppId and txnVersion: " + e.getMessage());
    }
  }
}
