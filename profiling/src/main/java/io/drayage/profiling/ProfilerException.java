package io.drayage.profiling;

import io.drayage.frame.MessageForUsers;
import java.io.Serial;
import org.jspecify.annotations.Nullable;

/**
 * The profiler cannot work here as requested. The message is one line with the reason and the
 * remedy. A retry without the remedy is useless.
 */
public final class ProfilerException extends Exception implements MessageForUsers {
  @Serial private static final long serialVersionUID = 1;

  public ProfilerException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
