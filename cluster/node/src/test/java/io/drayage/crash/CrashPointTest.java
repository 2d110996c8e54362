package io.drayage.crash;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.drayage.testing.ChildJvm;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.List;
import net.bytebuddy.jar.asm.ClassReader;
import net.bytebuddy.jar.asm.ClassVisitor;
import net.bytebuddy.jar.asm.MethodVisitor;
import net.bytebuddy.jar.asm.Opcodes;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class CrashPointTest {
  private static final long DEADLINE_S = 30;

  @TempDir private Path folder;

  /** Number of calls in a class that report a point. */
  private static int reports(byte[] bytes) {
    int[] reports = {0};
    ClassVisitor visitor =
        new ClassVisitor(Opcodes.ASM9) {
          @Override
          public MethodVisitor visitMethod(
              int access,
              String name,
              String descriptor,
              @Nullable String signature,
              String @Nullable [] exceptions) {
            return new MethodVisitor(Opcodes.ASM9) {
              @Override
              public void visitMethodInsn(
                  int opcode, String owner, String called, String type, boolean isInterface) {
                reports[0] += called.equals("reach") ? 1 : 0;
              }
            };
          }
        };
    new ClassReader(bytes).accept(visitor, 0);
    return reports[0];
  }

  @ParameterizedTest
  @EnumSource
  void isInOneMethodOfTheProduct(CrashPoint point) throws IOException {
    try (InputStream in = CrashPoint.class.getResourceAsStream("/" + point.owner() + ".class")) {
      assertThat(in).as(point.owner()).isNotNull();
      byte[] bytes = in.readAllBytes();

      assertThat(reports(bytes)).isZero();
      assertThat(reports(DiesAt.reporting(point, bytes))).isPositive();
    }
  }

  /** Reaches a point twice. */
  static final class Reaches {
    private Reaches() {}

    /** Starts without arguments. */
    public static void main(String[] args) {
      DiesAt.reach("LOGGED");
      DiesAt.reach("LOGGED");
    }
  }

  @Test
  void whoIsToDieAtAPointDoes() {
    assertThatThrownBy(
            () ->
                ChildJvm.run(
                    folder, DEADLINE_S, List.of(DiesAt.option("logged:2", folder)), Reaches.class))
        .hasMessageContaining("ended with " + DiesAt.EXIT_CODE)
        .hasMessageContaining("dying at crash point LOGGED");
  }
}
