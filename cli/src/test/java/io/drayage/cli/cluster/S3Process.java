package io.drayage.cli.cluster;

import io.drayage.objectstore.S3Server;
import java.nio.file.Path;

/** Main class of an S3 server. Arguments: folder, HOST:PORT. It prints where it listens. */
final class S3Process {
  private S3Process() {}

  public static void main(String[] args) throws Exception {
    System.out.println("S3 at " + S3Server.start(Path.of(args[0]), args[1]).endpoint());
  }
}
