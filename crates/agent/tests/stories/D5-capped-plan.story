# D5  with plan.length = cap a longer plan is sent back with its line count, and nobody is asked

given mode plan
given settings {"plan": {"length": "cap"}}

user> go
note> plan_mode full no plan
model> Write {plan_file} = 1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n11\n12\n13\n14\n15\n16\n17\n18\n19\n20\n21\n22\n23\n24\n25\n26\n27\n28\n29\n30\n31\n32\n33\n34\n35\n36\n37\n38\n39\n40\n41\n
tool> Write ok
model> ExitPlanMode
tool> ExitPlanMode failed The plan at {plan_file} has 41 lines, and the limit is 40
model> Edit {plan_file}: \n41 -> 
tool> Edit ok
model> ExitPlanMode
ask> plan 1
answer> approve default
mode> plan -> default by approval
tool> ExitPlanMode ok
note> plan_mode_exit approved default
model> text Working.
then request 1 contains Hard limit: 40 lines
