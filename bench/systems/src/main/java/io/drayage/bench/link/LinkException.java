package io.drayage.bench.link;

import io.drayage.frame.MessageForUsers;
import java.io.IOException;
import java.io.Serial;

/** A link cannot be made or used. The message, one line, names the reason and the remedy. */
public final class LinkException extends IOException implements MessageForUsers {
  @Serial private static final long serialVersionUID = 1;

  public LinkException(String message) {
    super(message);
  }
}
