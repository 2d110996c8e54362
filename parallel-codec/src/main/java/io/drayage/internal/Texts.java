package io.drayage.internal;

import com.google.errorprone.annotations.FormatMethod;
import com.google.errorprone.annotations.FormatString;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Texts that do not depend on the locale. */
public final class Texts {
  private Texts() {}

  /** Formats like {@link String#format}, with digits and separators of {@link Locale#ROOT}. */
  @FormatMethod
  public static String format(@FormatString String format, @Nullable Object... values) {
    return String.format(Locale.ROOT, format, values);
  }
}
