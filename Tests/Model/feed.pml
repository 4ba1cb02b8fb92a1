/* How a withdrawal reaches every node: the rule feed, freshness and the fence (docs/decisions/2026-11-23-rule-feed.md).

   Two database servers (0 is the primary, 1 its synchronous standby, which may be promoted at any moment), WITHDRAWALS
   withdrawals and NODES nodes. After the promotion server 0 runs on and knows nothing of it: whoever asks may meet either.
   A failover may be forced: then it loses rows that were committed.

   Safety: a node that is fresh knows every withdrawal that was acknowledged and that no forced failover has lost.

   Time is not counted. The model has what a time limit guarantees: once the fence has waited for it, no poll that began
   before the commit makes a node fresh.

   Each of these takes one part of the protocol away, and must be found unsafe:
     READ_ONLY_POLL   a poll is believed without a commit
     NO_MARK          a node does not compare the mark of the position where it stands
     NO_FENCE         a withdrawal is acknowledged as soon as it is committed
     BARE_POSITION    the fence looks at a node's position, and not at its mark */

#ifndef NODES
#define NODES 3
#endif
#define WITHDRAWALS 2
#define NOBODY 9

/* Withdrawals by position, from 1. A mark is random, so no two rows have the same: the number of the withdrawal is it. */
typedef Server {
    byte at[3];
    byte written;
    byte visible;  /* committed: what others read */
    /* The rows of the nodes: where each stands, and the mark of that position. */
    byte applied[NODES];
    byte mark[NODES];
};
Server server[2];
bit promoted;
byte received;  /* how many rows of server 0 the standby has */

#ifdef BARE_POSITION
#define HAS_APPLIED(s, n, p) (server[s].applied[n] >= p)
#else
#define HAS_APPLIED(s, n, p) (server[s].applied[n] >= p && server[s].mark[n] == server[s].at[server[s].applied[n]])
#endif

typedef Node {
    bit fresh;
    bit knows[WITHDRAWALS];
    byte position;
    byte mark;
    bit polling;
    bit late;                        /* the poll under way began too long ago */
    bit polledAfter[WITHDRAWALS];    /* the poll under way began after the commit */
    bit believedAfter[WITHDRAWALS];  /* so did the one that was believed last */
};
Node node[NODES];

bit committed[WITHDRAWALS];
bit acknowledged[WITHDRAWALS];
bit lost[WITHDRAWALS];

inline check_safety() {
    k = 0;
    do
    :: k < NODES ->
       assert(!node[k].fresh || !acknowledged[0] || lost[0] || node[k].knows[0]);
       assert(!node[k].fresh || !acknowledged[1] || lost[1] || node[k].knows[1]);
       k++
    :: else -> break
    od;
    k = 0
}

active proctype replication() {
end:
    do
    :: atomic { !promoted && received < server[0].written -> received++ }
    od
}

active proctype failover() {
    byte k;
    atomic {
        if
        :: skip
        :: received > 0 -> received--
        :: received > 1 -> received = received - 2
        fi;
        promoted = 1;
        server[1].at[1] = server[0].at[1];
        server[1].at[2] = server[0].at[2];
        server[1].written = received;
        server[1].visible = received;
        k = received + 1;
        do
        :: k <= server[0].visible ->
           /* A forced one. The rows of the nodes were written later, so they are lost, too. */
           lost[server[0].at[k]] = 1;
           server[1].applied[0] = 0;
           server[1].applied[1] = 0;
#if NODES > 2
           server[1].applied[2] = 0;
#endif
           k++
        :: else -> break
        od
    }
}

proctype withdrawal(byte w) {
    byte s, position, k;
send:
    atomic {
        if
        :: s = 0
        :: promoted -> s = 1
        fi;
        /* The write token: what is there already is not written again. */
        if
        :: server[s].written >= 1 && server[s].at[1] == w -> position = 1
        :: server[s].written >= 2 && server[s].at[2] == w -> position = 2
        :: else ->
           /* The row of the counter is locked until the one before has committed. */
           server[s].visible == server[s].written || (s == 0 && promoted);
           if
           :: server[s].visible != server[s].written -> goto send
           :: else -> skip
           fi;
           server[s].written++;
           position = server[s].written;
           server[s].at[position] = w;
           lost[w] = 0
        fi
    }
    if
    :: atomic { s == 0 && !promoted && received >= position ->
           if :: server[0].visible < position -> server[0].visible = position :: else -> skip fi;
           committed[w] = 1 }
    :: atomic { s == 1 ->
           if :: server[1].visible < position -> server[1].visible = position :: else -> skip fi;
           committed[w] = 1 }
    :: promoted && s == 0 -> goto send  /* no answer comes any more */
    fi;
#ifndef NO_FENCE
    do
    :: k < NODES ->
       if
       :: HAS_APPLIED(s, k, position) -> k++
       :: atomic {
              /* The time limit. */
              if :: !node[k].believedAfter[w] -> node[k].fresh = 0 :: else -> skip fi;
              if :: node[k].polling && !node[k].polledAfter[w] -> node[k].late = 1 :: else -> skip fi;
              k++
          }
       fi
    :: else -> break
    od;
#endif
    atomic { acknowledged[w] = 1; check_safety() }
}

/* A poll reads and commits at one moment: what comes between the two can only keep it from committing. Its answer
   arrives at some later moment. */
proctype poller(byte n) {
    byte s, seen, first, second, k;
    bit replaced;
end:
    do
    :: atomic {
           if
           /* The standby has the commit, and so what was read before it. */
           :: !promoted -> s = 0
           :: promoted -> s = 1
#ifdef READ_ONLY_POLL
           /* The commit on a server that was replaced waits for ever. */
           :: promoted -> s = 0
#endif
           fi;
           node[n].polling = 1;
           node[n].polledAfter[0] = committed[0];
           node[n].polledAfter[1] = committed[1];
           seen = server[s].visible;
           if :: seen >= 1 -> first = server[s].at[1] :: else -> skip fi;
           if :: seen >= 2 -> second = server[s].at[2] :: else -> skip fi;
#ifndef NO_MARK
           if
           :: node[n].position > seen -> replaced = 1
           :: node[n].position == 1 && seen >= 1 && first != node[n].mark -> replaced = 1
           :: node[n].position == 2 && seen == 2 && second != node[n].mark -> replaced = 1
           :: else -> skip
           fi;
#endif
           if
           :: s == 0 && !promoted ->
              server[0].applied[n] = node[n].position;
              server[0].mark[n] = node[n].mark;
              server[1].applied[n] = node[n].position;
              server[1].mark[n] = node[n].mark
           :: s == 1 ->
              server[1].applied[n] = node[n].position;
              server[1].mark[n] = node[n].mark
           :: else -> skip
           fi;
           s = 0
       }
       atomic {
           /* What was known stays known, also where the history was replaced. */
           if :: seen >= 1 && (replaced || node[n].position < 1) -> node[n].knows[first] = 1 :: else -> skip fi;
           if :: seen >= 2 && (replaced || node[n].position < 2) -> node[n].knows[second] = 1 :: else -> skip fi;
           if
           :: replaced || seen > node[n].position ->
              node[n].position = seen;
              node[n].mark = (seen == 0 -> NOBODY : (seen == 1 -> first : second))
           :: else -> skip
           fi;
           if
           :: !node[n].late ->
              node[n].fresh = 1;
              node[n].believedAfter[0] = node[n].polledAfter[0];
              node[n].believedAfter[1] = node[n].polledAfter[1]
           :: else -> skip
           fi;
           node[n].polling = 0;
           node[n].late = 0;
           node[n].polledAfter[0] = 0;
           node[n].polledAfter[1] = 0;
           seen = 0; first = 0; second = 0; replaced = 0;
           check_safety()
       }
    od
}

init {
    byte k;
    atomic {
        run withdrawal(0);
        run withdrawal(1);
        do
        :: k < NODES -> node[k].mark = NOBODY; server[0].mark[k] = NOBODY; server[1].mark[k] = NOBODY; run poller(k); k++
        :: else -> break
        od
    }
}
