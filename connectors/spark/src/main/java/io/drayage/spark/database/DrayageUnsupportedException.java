package io.drayage.spark.database;

import java.io.Serial;
import java.util.Map;
import org.apache.spark.SparkUnsupportedOperationException;

/**
 * Thrown for an operation that a Drayage database does not support. It has the condition {@code
 * DRAYAGE_UNSUPPORTED} and the SQLSTATE 0A000.
 */
public final class DrayageUnsupportedException extends SparkUnsupportedOperationException {
  @Serial private static final long serialVersionUID = 1;

  private static final String CONDITION = "DRAYAGE_UNSUPPORTED";

  private final String text;

  /**
   * @param text names the refused operation and the solution
   */
  public DrayageUnsupportedException(String text) {
    super(DrayageException.KNOWN_TO_SPARK, Map.of(DrayageException.ITS_PARAMETER, text));
    this.text = text;
  }

  /** Returns the same error for a caller in Spark that replaces errors of this class. */
  public DrayageException notReplaced() {
    return new DrayageException(DrayageException.Condition.UNSUPPORTED, text, this);
  }

  @Override
  public String getCondition() {
    return DrayageException.told(CONDITION);
  }

  @Override
  @SuppressWarnings("deprecation") // Spark Connect asks for it.
  public String getErrorClass() {
    return getCondition();
  }

  @Override
  public String getSqlState() {
    return "0A000";
  }

  @Override
  public Map<String, String> getMessageParameters() {
    return DrayageException.parameters(text, getMessage());
  }

  @Override
  public String getDefaultMessageTemplate() {
    return "<message>";
  }

  @Override
  public String getMessage() {
    return DrayageException.message(CONDITION, text, getSqlState());
  }
}
