package io.drayage.spark.database;

import io.drayage.coordination.CoordinationException;
import io.drayage.database.ForeignDatabaseException;
import io.drayage.frame.Fault;
import io.drayage.frame.ShipmentException;
import io.drayage.objectstore.ObjectCorruptException;
import io.drayage.objectstore.ObjectMissingException;
import io.drayage.replica.LogTrimmedException;
import io.drayage.snapshot.SnapshotException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.Serial;
import java.io.UncheckedIOException;
import java.util.Map;
import org.apache.spark.QueryContext;
import org.apache.spark.SparkException;
import org.apache.spark.SparkRuntimeException;
import org.jspecify.annotations.Nullable;

/**
 * An error for Spark with an SQLSTATE and a condition, which begins with {@code DRAYAGE_}. PySpark
 * shows it in one line, as {@code pyspark.errors.SparkRuntimeException}.
 */
public final class DrayageException extends SparkRuntimeException {
  @Serial private static final long serialVersionUID = 1;

  /** A condition of Spark, because its constructors look up the message, which nobody sees. */
  static final String KNOWN_TO_SPARK = "USER_RAISED_EXCEPTION";

  static final String ITS_PARAMETER = "errorMessage";

  /** The conditions of errors, grouped by the necessary action of the user. */
  public enum Condition {
    /** Others have changed the same data: run the statement again. */
    CONFLICT("40001"),
    /** The outcome of the statement is unknown. */
    UNKNOWN_OUTCOME("40003"),
    /** The database has no memory left. */
    FULL("53100"),
    /** No primary, store or coordination answers now, or the primary is busy. */
    UNAVAILABLE("08001"),
    /** The store belongs to another database. */
    WRONG_STORE("08004"),
    /** The store does not hold a snapshot. */
    SNAPSHOT_NOT_FOUND("42704"),
    /** The log no longer has changes. */
    CHANGES_LOST("55000"),
    /** A range of changes has no begin, or its end is before its begin. */
    INVALID_RANGE("22003"),
    /** Something is not supported, where Spark replaces a {@link DrayageUnsupportedException}. */
    UNSUPPORTED("0A000"),
    /** Data in the store is damaged. */
    DAMAGED("XX001"),
    /** An option or a setting is unknown or missing, or its value is wrong. */
    INVALID_OPTION("22023"),
    /** A table cannot have these columns or names. */
    INVALID_TABLE("42602"),
    /** Rows do not fit into the columns of their table. */
    INVALID_ROWS("22000"),
    /** The data exceeds the limit of a transaction or a page. */
    TOO_LARGE("54000"),
    /** The transactor has refused it. */
    REFUSED("40000"),
    /** Any other error. */
    FAILED("58000");

    private final String sqlState;

    Condition(String sqlState) {
      this.sqlState = sqlState;
    }

    /** Returns the SQLSTATE of five characters. */
    public String sqlState() {
      return sqlState;
    }
  }

  private final Condition condition;
  private final String text;

  /**
   * Creates an error that the user can correct.
   *
   * @param text names the problem and the solution
   */
  public DrayageException(Condition condition, String text) {
    this(condition, text, null);
  }

  /** Creates an error for a check that failed. */
  public DrayageException(Condition condition, String text, @Nullable Throwable cause) {
    super(
        KNOWN_TO_SPARK,
        SparkException.constructMessageParams(Map.of(ITS_PARAMETER, text)),
        cause,
        new QueryContext[0],
        "");
    this.condition = condition;
    this.text = text;
  }

  /** Creates an error with {@link Condition#INVALID_OPTION}. */
  public static DrayageException invalidOption(String text) {
    return new DrayageException(Condition.INVALID_OPTION, text);
  }

  /**
   * Converts a failure for Spark.
   *
   * @param what failed, as a table or a catalog
   * @return an {@link UncheckedIOException} if the thread was interrupted, by which Spark knows
   *     that it has stopped the query, unless the interrupted operation may take effect
   */
  public static RuntimeException of(String what, IOException cause) {
    String text = "%s: %s".formatted(what, cause.getMessage());
    Condition condition = condition(cause);
    return cause instanceof InterruptedIOException && condition != Condition.UNKNOWN_OUTCOME
        ? new UncheckedIOException(text, cause)
        : new DrayageException(condition, text, cause);
  }

  private static Condition condition(Throwable failure) {
    for (Throwable each = failure; each != null; each = each.getCause()) {
      Condition condition = own(each);
      if (condition != null) {
        return condition;
      }
    }
    return Condition.FAILED;
  }

  private static @Nullable Condition own(Throwable failure) {
    if (failure instanceof ShipmentException shipment) {
      return of(shipment);
    } else if (failure instanceof ForeignDatabaseException) {
      return Condition.WRONG_STORE;
    } else if (failure instanceof LogTrimmedException) {
      return Condition.CHANGES_LOST;
    } else if (failure instanceof SnapshotException) {
      return Condition.SNAPSHOT_NOT_FOUND;
    } else if (failure instanceof ObjectCorruptException
        || failure instanceof ObjectMissingException) {
      return Condition.DAMAGED;
    }
    return failure instanceof CoordinationException ? Condition.UNAVAILABLE : null;
  }

  private static Condition of(ShipmentException failure) {
    if (failure.outcome() == ShipmentException.Outcome.UNKNOWN) {
      return Condition.UNKNOWN_OUTCOME;
    } else if (failure.fault() == Fault.CONFLICT) {
      return Condition.CONFLICT;
    } else if (failure.fault() == Fault.FULL) {
      return Condition.FULL;
    }
    return failure.fault().isTransient() ? Condition.UNAVAILABLE : Condition.REFUSED;
  }

  public Condition condition() {
    return condition;
  }

  @Override
  public String getCondition() {
    return told("DRAYAGE_" + condition);
  }

  /** Returns the condition, or one of Spark's for a client that can show no other. */
  static String told(String condition) {
    return isForClient() ? KNOWN_TO_SPARK : condition;
  }

  /** Returns the parameters of the condition from {@link #told}. */
  static Map<String, String> parameters(String text, String message) {
    return isForClient() ? Map.of(ITS_PARAMETER, message) : Map.of("message", text);
  }

  /**
   * Whether the server of Spark Connect asks on behalf of a client in the JVM, which finds only the
   * conditions of Spark. Python clients get the condition in another way.
   */
  private static boolean isForClient() {
    return StackWalker.getInstance()
        .walk(
            frames ->
                frames.anyMatch(frame -> frame.getMethodName().equals("throwableToProtoErrors")));
  }

  @Override
  @SuppressWarnings("deprecation") // Spark Connect asks for it.
  public String getErrorClass() {
    return getCondition();
  }

  @Override
  public String getSqlState() {
    return condition.sqlState();
  }

  @Override
  public Map<String, String> getMessageParameters() {
    return parameters(text, getMessage());
  }

  @Override
  public String getDefaultMessageTemplate() {
    return "<message>";
  }

  @Override
  public String getMessage() {
    return message("DRAYAGE_" + condition, text, condition.sqlState());
  }

  /** Returns the message in Spark's format. */
  static String message(String condition, String text, String sqlState) {
    return "[%s] %s SQLSTATE: %s".formatted(condition, text, sqlState);
  }
}
