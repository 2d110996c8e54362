package io.drayage.bench.profile;

import static org.assertj.core.api.Assertions.assertThat;

import io.drayage.profiling.Shares;
import java.lang.reflect.Method;
import org.junit.jupiter.api.Test;

class SharesTest {
  @Test
  void leavesOutAFrameThatTheChildrenHave() throws Exception {
    String frame = Shares.WAITS_FOR_ORDERS;
    int dot = frame.lastIndexOf('.');
    assertThat(Class.forName(frame.substring(0, dot)).getDeclaredMethods())
        .extracting(Method::getName)
        .contains(frame.substring(dot + 1));
  }
}
