package io.drayage.internal;

import com.google.errorprone.annotations.FormatMethod;
import com.google.errorprone.annotations.FormatString;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Texts that are the same in every locale. */
public final class Texts {
  private Texts() {}

  /** As {@link String#format}: digits and separators are those of {@link Locale#ROOT}. */
  @FormatMethod
  public static String format(@FormatString String format, @Nullable Object... values) {
    return String.format(Locale.ROOT, format, values);
  }
}
