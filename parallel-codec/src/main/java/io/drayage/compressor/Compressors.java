package io.drayage.compressor;

import java.util.List;
import java.util.stream.Collectors;

/** The compressors there are, by their number on the wire and by their name. */
public final class Compressors {
  private static final List<Compressor> ALL = List.of(new NoCompressor());

  private Compressors() {}

  /** All of them, in the order of their numbers. */
  public static List<Compressor> all() {
    return ALL;
  }

  /**
   * The compressor with this wire number.
   *
   * @throws IllegalArgumentException if there is none, naming the known ones
   */
  public static Compressor ofId(int id) {
    return ALL.stream()
        .filter(compressor -> compressor.id() == id)
        .findFirst()
        .orElseThrow(() -> unknown("compressor number " + id));
  }

  /**
   * The compressor with this name.
   *
   * @throws IllegalArgumentException if there is none, naming the known ones
   */
  public static Compressor ofName(String name) {
    return ALL.stream()
        .filter(compressor -> compressor.name().equals(name))
        .findFirst()
        .orElseThrow(() -> unknown("compressor '" + name + "'"));
  }

  private static IllegalArgumentException unknown(String what) {
    String known =
        ALL.stream()
            .map(compressor -> "%s (%d)".formatted(compressor.name(), compressor.id()))
            .collect(Collectors.joining(", "));
    return new IllegalArgumentException("%s is unknown (known: %s)".formatted(what, known));
  }
}
