package io.drayage.bench;

/** Entry point of the {@code drayage} command line. */
public final class Drayage {
  private Drayage() {}

  public static void main(String[] args) {
    System.out.println("usage: drayage COMMAND [OPTION]...");
  }
}
